import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { instantSchema } from './schemas.ts'
import { secondFactorCodeSchema } from './second-factor.ts'

/** Versions of the terms that hold now, by the day they were written. */
export const termsVersions = { service: '2026-11-01', payment: '2026-11-01' } as const

/** An account that is leaving can be restored for this many days. */
export const leavingDays = 14

const acceptedSchema = z
  .object({
    /** Null where it was accepted before versions and days were written down. */
    version: z.string().nullable(),
    accepted_at: instantSchema.nullable(),
  })
  .nullable()

/** What the page about the own account shows beside the profile. */
export const ownAccountSchema = z.object({
  created_at: instantSchema,
  /** What a reset of the token, or leaving, is about. */
  devices: z.int(),
  records: z.int(),
  /** Signed pairing commands and QR codes that are neither used nor expired. */
  open_pairing_commands: z.int(),
  /** True for the only administrator: the account cannot leave. */
  is_last_administrator: z.boolean(),
  /** False where mail is not set up: an address cannot be confirmed then. */
  can_mail: z.boolean(),
  /** An address that waits for the link that was sent to it; the profile keeps the old one until then. */
  email_pending: z.object({ email: z.string(), expires_at: instantSchema }).nullable(),
  terms: z.object({ service: acceptedSchema, payment: acceptedSchema }),
})

/** What the page about the own account shows beside the profile. */
export type OwnAccount = z.infer<typeof ownAccountSchema>

/** `GET /api/user/account/` */
export const getOwnAccount = defineCall({
  name: 'getOwnAccount',
  method: 'GET',
  path: '/api/user/account/',
  summary: 'What hangs on the own account, and which terms were accepted when',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: ownAccountSchema },
})

const leavingSchema = z.object({
  /** Until then signing in offers to restore the account. */
  deletes_at: instantSchema,
})

/** `POST /api/user/leaving/`: every session ends, nothing leads to the devices; after 14 days all of it is removed. */
export const leave = defineCall({
  name: 'leave',
  method: 'POST',
  path: '/api/user/leaving/',
  summary: 'Delete the own account, with 14 days to think it over',
  tag: 'account',
  access: 'recent',
  body: z.object({
    /** The own user name, typed to confirm. */
    username: z.string().trim().min(1).max(100),
    second_factor: secondFactorCodeSchema.optional(),
  }),
  responses: { 200: leavingSchema },
  errors: [
    'last_administrator',
    'second_factor_required',
    'second_factor_wrong',
    'recent_sign_in_required',
  ],
})

/** `GET /custom/restore/`: after `account_leaving` of any way in, from the same browser and address. */
export const getRestoration = defineCall({
  name: 'getRestoration',
  method: 'GET',
  path: '/custom/restore/',
  summary: 'The account that this browser has just signed in to, and when it is deleted',
  tag: 'sign-in',
  access: 'anyone',
  responses: { 200: leavingSchema.extend({ username: z.string() }) },
  errors: ['sign_in_expired'],
})

/** `POST /custom/restore/`: undoes `leave` and signs in. */
export const restoreAccount = defineCall({
  name: 'restoreAccount',
  method: 'POST',
  path: '/custom/restore/',
  summary: 'Restore the account that this browser has just signed in to',
  tag: 'sign-in',
  access: 'anyone',
  responses: { 200: z.object({ id: z.int() }) },
  errors: ['sign_in_expired'],
})

/** `POST /api/user/email/confirm/`: what the link of a letter carries, by the account that asked for it. */
export const confirmEmail = defineCall({
  name: 'confirmEmail',
  method: 'POST',
  path: '/api/user/email/confirm/',
  summary: 'Confirm an e-mail address with the token of its link',
  tag: 'account',
  access: 'signed_in',
  body: z.object({ token: z.string().min(1).max(100) }),
  responses: { 200: z.object({ email: z.string() }) },
  errors: ['email_link_invalid', 'email_taken'],
})

/** `POST /api/user/email/resend/`: the link before is void. */
export const resendEmail = defineCall({
  name: 'resendEmail',
  method: 'POST',
  path: '/api/user/email/resend/',
  summary: 'Send another link to the e-mail address that waits',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: z.object({ email: z.string() }) },
  errors: ['not_found', 'mail_off'],
})

/** `DELETE /api/user/email/pending/` */
export const cancelEmail = defineCall({
  name: 'cancelEmail',
  method: 'DELETE',
  path: '/api/user/email/pending/',
  summary: 'Forget the e-mail address that waits',
  tag: 'account',
  access: 'signed_in',
  responses: { 204: null },
  errors: ['not_found'],
})
