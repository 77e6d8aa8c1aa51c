import type { FastifyInstance } from 'fastify'
import { AppError } from '../http/app-error.ts'
import type { SsoProviderService } from './service.ts'

const callbackShape = /^[A-Za-z_$][\w$]{0,63}$/

/**
 * Mounts the JSONP sign-out. What it ends is the provider's own: sign-ons that this browser began, and codes it has not
 * traded in. Any page may ask for it, so it neither tells anything nor ends the session of the console.
 */
export function registerProviderLogout(
  app: FastifyInstance,
  { provider }: { provider: Pick<SsoProviderService, 'forget'> },
): void {
  app.get('/sso/logout', { exposeHeadRoute: false }, async (request, reply) => {
    const { callback } = request.query as Record<string, unknown>
    if (typeof callback !== 'string' || !callbackShape.test(callback)) {
      throw new AppError('bad_request')
    }
    for (const value of request.browser.knownValues) await provider.forget(value)
    // The comment first: whatever the name, the answer does not begin with it.
    return reply.type('application/javascript; charset=utf-8').send(`/**/${callback}();`)
  })
}
