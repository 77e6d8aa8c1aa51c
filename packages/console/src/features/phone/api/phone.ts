import {
  bindPhone,
  type CallArguments,
  rebindPhone,
  resetPassword,
  sendSmsCode,
  signInWithPhone,
} from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Asks for a code by text message. */
export const sendSms = (body: CallArguments<typeof sendSmsCode>['body']) =>
  client.call(sendSmsCode, { body })

/** Signs in with a code; the session arrives as a cookie. Makes the account where sign-up is open. */
export const signInByPhone = (phone: string, code: string) =>
  client.call(signInWithPhone, { body: { phone, code, accepted_terms_of_service: true } })

/** Sets a new password with a code; gives the username to sign in with. */
export const resetByPhone = (body: CallArguments<typeof resetPassword>['body']) =>
  client.call(resetPassword, { body })

/** Binds a number to the own account. */
export const bindByCode = (body: CallArguments<typeof bindPhone>['body']) =>
  client.call(bindPhone, { body })

/** Puts another number in the place of the bound one. */
export const rebindByCodes = (body: CallArguments<typeof rebindPhone>['body']) =>
  client.call(rebindPhone, { body })
