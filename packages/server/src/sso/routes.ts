import {
  checkSso,
  confirmSso,
  linkIdentity,
  listIdentities,
  reauthenticateWithIdentity,
  startSso,
  unlinkIdentity,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
import { placeOf } from './flows.ts'
import type { Identities } from './identities.ts'
import type { Sso } from './service.ts'

/** Sign-ons that one address may begin, or finish, in a burst. */
const burst = 30

/** After that one each 2 s. */
const perSecond = 1 / 2

/** Addresses remembered at once. */
const keyLimit = 20_000

/** What a provider may bring back; anything else is dropped on the way to the console. */
const returned = ['code', 'state', 'iss', 'error']

/** The longest value that is passed on. */
const valueLimit = 4096

/** Mounts single sign-on: begin, the way back, finish, and the account's own identities. */
export function registerSsoRoutes(
  app: FastifyInstance,
  context: Pick<ServerContext, 'clock'> & { sso: Sso; identities: Identities },
): void {
  const { sso, identities, clock } = context
  const limiter = () => createRateLimiter({ burst, perSecond, keyLimit, clock })
  const [begun, finished] = [limiter(), limiter()]
  const limit = (rate: ReturnType<typeof limiter>, { address }: RequestFacts) => {
    const answer = rate.take(limitKeyOf(address))
    if (answer.isAllowed) return
    throw new AppError('rate_limited', {
      retryAfterSeconds: Math.ceil(answer.retryAfterMs / 1000),
    })
  }

  mountOpenCall(app, startSso, ({ body, ...input }) => {
    limit(begun, input.request)
    return sso.start(placeOf(input), body)
  })

  // Whoever comes here came from a provider; the page /check shows what happens and asks the server for it.
  app.get('/custom/sso/callback', async (request, reply) => {
    const given = request.query as Record<string, unknown>
    const kept = returned.flatMap(name => {
      const value = given[name]
      return typeof value === 'string' && value.length <= valueLimit ? [[name, value]] : []
    })
    return reply.redirect(`/#/check?${new URLSearchParams(kept)}`, 303)
  })

  mountOpenCall(app, checkSso, ({ query, ...input }) => {
    limit(finished, input.request)
    return sso.finish(query, input)
  })

  mountOpenCall(app, confirmSso, ({ body, ...input }) => {
    limit(finished, input.request)
    return sso.confirm(body, body.second_factor, input)
  })

  mountCall(app, listIdentities, ({ actor }) => identities.list(actor))

  mountCall(app, linkIdentity, ({ actor, body, ...input }) => {
    limit(begun, input.request)
    return sso.startLink(actor, placeOf(input), body.provider)
  })

  mountCall(app, reauthenticateWithIdentity, ({ actor, body, ...input }) => {
    limit(begun, input.request)
    return sso.startReauthentication(actor, placeOf(input), body.provider)
  })

  mountCall(app, unlinkIdentity, ({ actor, params, request }) =>
    identities.unlink(actor, params.id, request),
  )
}
