import { confirmSsoRequest, openSsoRequest, refuseSsoRequest } from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall } from '../http/mount.ts'
import { registerSsoEventRoutes } from './event-routes.ts'
import type { SsoEvents } from './events.ts'
import { registerLoginPage } from './login-page.ts'
import { registerProviderLogout } from './logout.ts'
import type { SsoProviderService } from './service.ts'

/** Requests that one account may open in a burst. */
const openingBurst = 20

/** After that one each 6 s. */
const openingsPerSecond = 1 / 6

/** Accounts remembered at once. */
const keyLimit = 20_000

/** Mounts our own provider of sign-ons. */
export function registerSsoProviderRoutes(
  app: FastifyInstance,
  context: Pick<ServerContext, 'clock' | 'keys'> & {
    provider: SsoProviderService
    events: SsoEvents
  },
): void {
  const { provider, clock } = context
  registerSsoEventRoutes(app, context)
  registerLoginPage(app, context)
  registerProviderLogout(app, context)

  const openings = createRateLimiter({
    burst: openingBurst,
    perSecond: openingsPerSecond,
    keyLimit,
    clock,
  })

  mountCall(app, openSsoRequest, ({ actor, body, request }) => {
    const answer = openings.take(String(actor.userId))
    if (!answer.isAllowed) {
      const retryAfterSeconds = Math.ceil(answer.retryAfterMs / 1000)
      throw new AppError('rate_limited', { retryAfterSeconds })
    }
    return provider.open(actor, body.request, request.address)
  })

  mountCall(app, confirmSsoRequest, async ({ actor, body }) => {
    await provider.confirm(actor, body.request)
    return { answer: 'confirmed' as const }
  })

  mountCall(app, refuseSsoRequest, async ({ actor, body }) => {
    await provider.refuse(actor, body.request)
    return { answer: 'refused' as const }
  })
}
