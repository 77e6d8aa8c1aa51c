import { brand, getSettings } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Accounts } from '../accounts/service.ts'
import { recordUrlPattern } from '../config.ts'
import type { ServerContext } from '../context.ts'
import { mountOpenCall } from '../http/mount.ts'

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
  }: Pick<ServerContext, 'db' | 'config' | 'clock' | 'logger'> & { accounts: Accounts },
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
    sign_in: ['password' as const],
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
