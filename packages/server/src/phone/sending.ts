import { type CaptchaScene, maskPhone, type SmsScene } from '@homeport/contract'
import type { Accounts } from '../accounts/service.ts'
import type { Captchas } from '../captcha/service.ts'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { SmsError, type SmsMessage, type SmsSender } from '../sms/sender.ts'
import { type CodePlace, codeMs, resendMs, type SmsCodes } from './codes.ts'
import type { PhoneLimits } from './limits.ts'
import { ownerOf, type PhonePlace } from './place.ts'

/** Somebody asks for a code. */
export interface SendInput {
  scene: SmsScene
  /** Absent for the own number. */
  phone?: string | undefined
  captchaTicket?: string | undefined
}

/** What sending is made with. */
export interface SendingParts {
  accounts: Accounts
  captchas: Pick<Captchas, 'takeTicket'>
  codes: SmsCodes
  limits: PhoneLimits
  sender: SmsSender | null
}

/** Sends codes. */
export interface SmsSending {
  /**
   * Sends a code, or does as if. Throws `sms_off`, `sms_unsent`, `rate_limited`, `captcha_required`, `not_signed_in`,
   * `recent_sign_in_required`, `phone_bound`, `phone_unbound`, `invalid_input`.
   */
  send(
    input: SendInput,
    place: PhonePlace,
  ): Promise<{ resend_after_seconds: number; expires_after_seconds: number }>
}

/** Makes the service. */
export function createSmsSending(
  { clock, config, logger }: Pick<ServerContext, 'clock' | 'config' | 'logger'>,
  { accounts, captchas, codes, limits, sender }: SendingParts,
): SmsSending {
  async function takeTicket(scene: CaptchaScene, ticket: string | undefined, address: string) {
    const isThere = ticket !== undefined && (await captchas.takeTicket(ticket, scene, address))
    if (!isThere) throw new AppError('captcha_required')
  }

  function requireActor(scene: SmsScene, actor: Actor | null): Actor {
    if (actor === null) throw new AppError('not_signed_in')
    const isChange = scene === 'bind' || scene === 'rebind'
    if (isChange && clock.now() >= actor.recentUntil) throw new AppError('recent_sign_in_required')
    return actor
  }

  /** The number to send to, and the captcha that stands before it: none where a stranger cannot choose the number. */
  async function findTarget(
    { scene, phone }: SendInput,
    actor: Actor | null,
  ): Promise<{ phone: string; captcha: CaptchaScene | null }> {
    if (scene === 'login' || scene === 'reset') return { phone: given(phone), captcha: scene }
    const own = await accounts.phoneOf(requireActor(scene, actor).userId)
    if (scene === 'bind') {
      if (own !== null) throw new AppError('phone_bound')
      return { phone: given(phone), captcha: scene }
    }
    if (own === null) throw new AppError('phone_unbound')
    if (scene === 'confirm' || phone === undefined) return { phone: own, captcha: null }
    if (phone === own) throw new AppError('phone_bound')
    return { phone, captcha: scene }
  }

  async function deliver(carrier: SmsSender, message: SmsMessage, place: CodePlace): Promise<void> {
    try {
      await carrier.send(message)
    } catch (cause) {
      logger.error({ err: cause, phone: maskPhone(message.phone) }, 'a text message was not sent')
      await codes.revoke(place)
      const isThrottled = cause instanceof SmsError && cause.failure === 'throttled'
      if (!isThrottled) throw new AppError('sms_unsent', { cause })
      throw new AppError('rate_limited', { retryAfterSeconds: resendMs / 1000, cause })
    }
  }

  return {
    async send(input, request) {
      if (sender === null) throw new AppError('sms_off')
      const { scene } = input
      const { phone, captcha } = await findTarget(input, request.actor)
      const giveBack = limits.payMessage(request.address, request.actor?.userId ?? null)
      const count = captcha === null ? 'owner' : 'anyone'
      let code: string
      const place = { scene, phone, owner: ownerOf(scene, request) }
      try {
        // First what refuses without using the ticket up.
        await codes.requireRoom(phone, count)
        if (captcha !== null) await takeTicket(captcha, input.captchaTicket, request.address)
        code = await codes.issue(place, count)
      } catch (error) {
        giveBack()
        throw error
      }
      // Asked for every number alike, and what follows from it happens where nobody can see or time it.
      const isForOwners = scene === 'reset' || (scene === 'login' && config.signup !== 'open')
      const hasAccount = (await accounts.findByPhone(phone)) !== null
      const message = { phone, code, scene }
      if (!isForOwners) await deliver(sender, message, place)
      else if (hasAccount) inBackground(() => deliver(sender, message, place))
      return {
        resend_after_seconds: resendMs / 1000,
        expires_after_seconds: codeMs / 1000,
      }
    },
  }
}

function given(phone: string | undefined): string {
  if (phone !== undefined) return phone
  throw new AppError('invalid_input', { errors: [{ path: 'phone', code: 'required' }] })
}

// After the answer is on its way. What went wrong was logged; nobody waits for it.
function inBackground(task: () => Promise<void>): void {
  setImmediate(() => void task().catch(() => undefined))
}
