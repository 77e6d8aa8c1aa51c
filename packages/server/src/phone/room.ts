import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { Captchas } from '../captcha/service.ts'
import type { ServerContext } from '../context.ts'
import type { SignInDoor } from '../sign-in/door.ts'
import { createSmsSender } from '../sms/create-sender.ts'
import { createSmsCodes } from './codes.ts'
import { createPhoneLimits } from './limits.ts'
import { createSmsSending, type SmsSending } from './sending.ts'
import { createPhones, type Phones } from './service.ts'

/** Everything about telephone numbers. */
export interface PhoneRoom {
  sending: SmsSending
  phones: Phones
}

/** Puts the room together. */
export function createPhoneRoom(
  context: ServerContext,
  parts: {
    accounts: Accounts
    sessions: Sessions
    captchas: Pick<Captchas, 'takeTicket'>
    door: SignInDoor
  },
): PhoneRoom {
  const codes = createSmsCodes(context)
  const limits = createPhoneLimits(context)
  const sender = createSmsSender(context)
  return {
    sending: createSmsSending(context, { ...parts, codes, limits, sender }),
    phones: createPhones(context, { ...parts, codes, limits, isOn: sender !== null }),
  }
}
