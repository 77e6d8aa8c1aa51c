import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { phoneSchema } from '../phone-number.ts'
import { profileSchema } from './accounts.ts'
import { captchaTicketSchema } from './captcha.ts'
import { newPasswordSchema } from './schemas.ts'

/** What a code of a text message is for: a code of one scene opens no other. */
export const smsScenes = ['login', 'bind', 'rebind', 'reset', 'confirm'] as const

/** What a code of a text message is for. */
export type SmsScene = (typeof smsScenes)[number]

/** A code as typed: 6 digits; spaces do not count. */
export const smsCodeSchema = z
  .string()
  .max(20)
  .overwrite(typed => typed.normalize('NFKC').replace(/\s/g, ''))
  .regex(/^\d{6}$/)

const idSchema = z.object({ id: z.int() })

/**
 * `POST /api/verify/sms/send/`. Whether the number has an account is told by nothing: neither by the answer nor by its time. Without a
 * number the code goes to the own one (`rebind`, `confirm`), and only then no ticket is needed.
 */
export const sendSmsCode = defineCall({
  name: 'sendSmsCode',
  method: 'POST',
  path: '/api/verify/sms/send/',
  summary: 'Send a code by text message; bind, rebind and confirm need a session',
  tag: 'phone',
  access: 'anyone',
  body: z.object({
    phone: phoneSchema.optional(),
    scene: z.enum(smsScenes),
    captcha_ticket: captchaTicketSchema.optional(),
  }),
  responses: {
    200: z.object({
      /** Seconds until another may be sent to the number. */
      resend_after_seconds: z.int(),
      /** Seconds that the code lives. */
      expires_after_seconds: z.int(),
    }),
  },
  errors: [
    'sms_off',
    'sms_unsent',
    'captcha_required',
    'not_signed_in',
    'recent_sign_in_required',
    'phone_bound',
    'phone_unbound',
  ],
})

/** `POST /api/verify/login/phone/`: makes the account on first use where sign-up is open. `finishSignIn` takes the second factor. */
export const signInWithPhone = defineCall({
  name: 'signInWithPhone',
  method: 'POST',
  path: '/api/verify/login/phone/',
  summary: 'Sign in with the code of a text message; makes an account where sign-up is open',
  tag: 'phone',
  access: 'anyone',
  body: z.object({
    phone: phoneSchema,
    code: smsCodeSchema,
    /** Noted with an account that is made. */
    accepted_terms_of_service: z.literal(true).optional(),
  }),
  responses: { 200: idSchema },
  errors: ['sms_off', 'sms_code_wrong', 'second_factor_required', 'sign_in_expired'],
})

/** `POST /api/verify/password/reset/`: ends every session and begins none. */
export const resetPassword = defineCall({
  name: 'resetPassword',
  method: 'POST',
  path: '/api/verify/password/reset/',
  summary: 'Set a new password with the code of a text message; signing in is still to do',
  tag: 'phone',
  access: 'anyone',
  body: z.object({ phone: phoneSchema, code: smsCodeSchema, password: newPasswordSchema }),
  responses: { 200: z.object({ username: z.string() }) },
  errors: ['sms_off', 'sms_code_wrong', 'busy'],
})

/** `POST /api/verify/phone/bind/` */
export const bindPhone = defineCall({
  name: 'bindPhone',
  method: 'POST',
  path: '/api/verify/phone/bind/',
  summary: 'Bind a telephone number to the own account',
  tag: 'phone',
  access: 'recent',
  body: z.object({ phone: phoneSchema, code: smsCodeSchema }),
  responses: { 200: profileSchema },
  errors: ['sms_off', 'sms_code_wrong', 'phone_bound', 'phone_taken'],
})

/** `POST /api/verify/phone/rebind/`: both numbers have to answer. */
export const rebindPhone = defineCall({
  name: 'rebindPhone',
  method: 'POST',
  path: '/api/verify/phone/rebind/',
  summary: 'Put another telephone number in the place of the bound one',
  tag: 'phone',
  access: 'recent',
  body: z.object({ old_code: smsCodeSchema, phone: phoneSchema, code: smsCodeSchema }),
  responses: { 200: profileSchema },
  errors: ['sms_off', 'sms_code_wrong', 'phone_bound', 'phone_unbound', 'phone_taken'],
})

/** `POST /custom/reauthenticate/phone/`: makes the current session a recent one, for accounts without a password. */
export const reauthenticateWithPhone = defineCall({
  name: 'reauthenticateWithPhone',
  method: 'POST',
  path: '/custom/reauthenticate/phone/',
  summary: 'Confirm a sensitive change with a text message, where the account has no password',
  tag: 'sign-in',
  access: 'signed_in',
  body: z.object({ code: smsCodeSchema }),
  responses: { 200: idSchema },
  errors: ['sms_off', 'sms_code_wrong', 'phone_unbound', 'forbidden'],
})
