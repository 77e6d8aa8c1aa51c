import { readResetLink, resetPasswordByLink, sendResetLink } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { mountOpenCall } from '../http/mount.ts'
import type { Recovery } from './service.ts'

/** Mounts the calls of whoever forgot the password. */
export function registerRecoveryRoutes(
  app: FastifyInstance,
  { recovery }: { recovery: Recovery },
): void {
  mountOpenCall(app, sendResetLink, ({ body, request }) =>
    recovery.ask({ email: body.email, captchaTicket: body.captcha_ticket }, request),
  )

  mountOpenCall(app, readResetLink, ({ body }) => recovery.read(body.token))

  mountOpenCall(app, resetPasswordByLink, ({ body, request }) =>
    recovery.reset(body.token, body.password, request),
  )
}
