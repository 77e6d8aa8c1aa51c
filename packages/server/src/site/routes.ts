import { brand, getSettings, passwordResetWays } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Accounts } from '../accounts/service.ts'
import { recordUrlPattern } from '../config.ts'
import type { ServerContext } from '../context.ts'
import { mountOpenCall } from '../http/mount.ts'
import type { Mailer } from '../mail/mailer.ts'
import { ownProvider, type SsoAdapter } from '../sso/adapter.ts'

/** `/readyz` waits this long in ms for the database. */
const readyTimeoutMs = 2_000

/** Mounts the settings and the two health addresses. */
export function registerSiteRoutes(
  app: FastifyInstance,
  {
    db,
    config,
    clock,
    logger,
    accounts,
    mailer,
    ssoAdapters,
  }: Pick<ServerContext, 'db' | 'config' | 'clock' | 'logger'> & {
    accounts: Accounts
    mailer: Pick<Mailer, 'isOn'>
    ssoAdapters: readonly SsoAdapter[]
  },
): void {
  // Asked by every page that opens; once there is an account the answer can no longer change.
  let needsSetup = true
  const askNeedsSetup = async () => {
    needsSetup = needsSetup && (await accounts.isEmpty())
    return needsSetup
  }

  mountOpenCall(app, getSettings, async ({ request }) => ({
    brand,
    version: config.version,
    mode: config.mode,
    billing: config.billing,
    signup: config.signup,
    sign_in: [
      'password' as const,
      ...(config.sms.way === 'off' ? [] : (['phone'] as const)),
      ...(ssoAdapters.length > 0 ? (['sso'] as const) : []),
    ],
    password_reset: passwordResetWays.filter(way =>
      way === 'phone' ? config.sms.way !== 'off' : mailer.isOn,
    ),
    sso: {
      providers: ssoAdapters.map(({ name, label, way }) => ({ name, label, way })),
      logout_url: ssoAdapters.some(({ name }) => name === ownProvider) ? '/sso/logout' : null,
    },
    console_url: request.ownOrigin,
    tunnel_domain: config.tunnelDomain,
    record_url_pattern: recordUrlPattern(config),
    languages: ['zh-CN', 'en'],
    needs_setup: await askNeedsSetup(),
  }))

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_, reply) => {
    const late = Promise.withResolvers<never>()
    const timer = clock.setTimeout(
      () => late.reject(new Error('the database does not answer')),
      readyTimeoutMs,
    )
    try {
      await Promise.race([sql`select 1`.execute(db), late.promise])
      return { status: 'ready' }
    } catch (error) {
      logger.warn({ err: error }, 'not ready')
      return reply.code(503).send({ status: 'not ready' })
    } finally {
      timer.cancel()
    }
  })
}
