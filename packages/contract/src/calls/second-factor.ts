import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { instantSchema } from './schemas.ts'

/** A two-step code of 6 digits, or a recovery code; spaces and hyphens do not count. */
export const secondFactorCodeSchema = z.string().trim().min(6).max(32)

const codeBody = z.object({ code: secondFactorCodeSchema })

/** How the account's second factor stands. */
export const secondFactorSchema = z.object({
  /** Null while it is off. */
  enabled_at: instantSchema.nullable(),
  /** Recovery codes that were not used yet. */
  recovery_codes_left: z.int(),
})

/** How the account's second factor stands. */
export type SecondFactorState = z.infer<typeof secondFactorSchema>

const recoveryCodesSchema = z.object({
  /** Shown this once; each works once. */
  recovery_codes: z.array(z.string()),
})

/** `GET /api/user/second-factor/` */
export const getSecondFactor = defineCall({
  name: 'getSecondFactor',
  method: 'GET',
  path: '/api/user/second-factor/',
  summary: 'Whether signing in needs a two-step code',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: secondFactorSchema },
})

/** `POST /api/user/second-factor/enrolment/`: a secret that counts once a code of it was shown; the one before is void. */
export const enrolSecondFactor = defineCall({
  name: 'enrolSecondFactor',
  method: 'POST',
  path: '/api/user/second-factor/enrolment/',
  summary: 'Begin to set up two-step codes; nothing changes until a code confirms it',
  tag: 'account',
  access: 'recent',
  responses: {
    201: z.object({
      /** Base32, for typing. */
      secret: z.string(),
      /** `otpauth://` address, for a QR code. */
      otpauth_url: z.string(),
      expires_at: instantSchema,
    }),
  },
  errors: ['second_factor_on'],
})

/** `POST /api/user/second-factor/confirm/`: every other session ends. */
export const confirmSecondFactor = defineCall({
  name: 'confirmSecondFactor',
  method: 'POST',
  path: '/api/user/second-factor/confirm/',
  summary: 'Turn two-step codes on with the first code; gives the recovery codes',
  tag: 'account',
  access: 'recent',
  body: codeBody,
  responses: { 200: recoveryCodesSchema },
  errors: ['second_factor_wrong', 'enrolment_expired'],
})

/** `POST /api/user/second-factor/recovery-codes/`: the codes before are void. */
export const renewRecoveryCodes = defineCall({
  name: 'renewRecoveryCodes',
  method: 'POST',
  path: '/api/user/second-factor/recovery-codes/',
  summary: 'Replace the recovery codes',
  tag: 'account',
  access: 'recent',
  body: codeBody,
  responses: { 200: recoveryCodesSchema },
  errors: ['second_factor_wrong', 'second_factor_off'],
})

/** `POST /api/user/second-factor/disable/` */
export const disableSecondFactor = defineCall({
  name: 'disableSecondFactor',
  method: 'POST',
  path: '/api/user/second-factor/disable/',
  summary: 'Turn two-step codes off',
  tag: 'account',
  access: 'recent',
  body: codeBody,
  responses: { 200: secondFactorSchema },
  errors: ['second_factor_wrong', 'second_factor_off'],
})
