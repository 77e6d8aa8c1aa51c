import {
  bindPhone,
  reauthenticateWithPhone,
  rebindPhone,
  resetPassword,
  sendSmsCode,
  signInWithPhone,
} from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { Actor } from '../http/actor.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import type { SmsSending } from './sending.ts'
import type { Phones } from './service.ts'

/** Mounts the calls about telephone numbers. */
export function registerPhoneRoutes(
  app: FastifyInstance,
  { sending, phones }: { sending: SmsSending; phones: Phones },
): void {
  mountOpenCall(app, sendSmsCode, ({ body, ...input }) =>
    sending.send({ ...body, captchaTicket: body.captcha_ticket }, placeOf(input)),
  )

  mountOpenCall(app, signInWithPhone, ({ body, ...input }) =>
    phones.signIn(body, placeOf(input), input),
  )

  mountOpenCall(app, resetPassword, ({ body, ...input }) =>
    phones.resetPassword(body, placeOf(input)),
  )

  mountCall(app, bindPhone, ({ body, ...input }) => phones.bind(body, placeOf(input)))

  mountCall(app, rebindPhone, ({ body, ...input }) =>
    phones.rebind({ ...body, oldCode: body.old_code }, placeOf(input)),
  )

  mountCall(app, reauthenticateWithPhone, async ({ body, ...input }) => {
    await phones.confirm(body.code, placeOf(input))
    return { id: input.actor.userId }
  })
}

// The CSRF value is an HMAC of the cookie that this browser alone holds.
const placeOf = <A extends Actor | null>(input: {
  actor: A
  request: RequestFacts
  browser: { csrfValue: string }
}) => ({
  actor: input.actor,
  address: input.request.address,
  userAgent: input.request.userAgent,
  browserKey: input.browser.csrfValue,
})
