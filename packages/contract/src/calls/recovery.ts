import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { captchaTicketSchema } from './captcha.ts'
import { newPasswordSchema } from './schemas.ts'

/** Ways to a new password for whoever forgot the old one. */
export const passwordResetWays = ['phone', 'mail'] as const

const tokenSchema = z.string().min(1).max(100)

/** `POST /api/verify/password/mail/`. Whether an account has the address is told by nothing: neither by the answer nor by its time. */
export const sendResetLink = defineCall({
  name: 'sendResetLink',
  method: 'POST',
  path: '/api/verify/password/mail/',
  summary: 'Send a link to reset the password to the e-mail address of an account',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({
    email: z.email().max(254),
    /** Of a captcha of scene reset. */
    captcha_ticket: captchaTicketSchema.optional(),
  }),
  responses: {
    200: z.object({
      /** Seconds that a link lives. */
      expires_after_seconds: z.int(),
    }),
  },
  errors: ['mail_off', 'captcha_required'],
})

/** `POST /api/verify/password/link/`: looks at a link and leaves it good; the token is never in an address that is sent. */
export const readResetLink = defineCall({
  name: 'readResetLink',
  method: 'POST',
  path: '/api/verify/password/link/',
  summary: 'The account that a link to reset the password belongs to',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({ token: tokenSchema }),
  responses: { 200: z.object({ username: z.string() }) },
  errors: ['reset_link_invalid'],
})

/** `POST /api/verify/password/link/reset/`: ends every session and begins none. */
export const resetPasswordByLink = defineCall({
  name: 'resetPasswordByLink',
  method: 'POST',
  path: '/api/verify/password/link/reset/',
  summary: 'Set a new password with the token of a link; signing in is still to do',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({ token: tokenSchema, password: newPasswordSchema }),
  responses: { 200: z.object({ username: z.string() }) },
  errors: ['reset_link_invalid', 'busy'],
})
