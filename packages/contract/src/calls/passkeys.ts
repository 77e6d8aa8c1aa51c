import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { idSchema, instantSchema } from './schemas.ts'
import { secondFactorCodeSchema } from './second-factor.ts'

const base64UrlSchema = z
  .string()
  .max(16_384)
  .regex(/^[A-Za-z0-9_-]+$/)

/** Options of a WebAuthn ceremony as the browser's library takes them. */
const ceremonySchema = z.object({ options: z.looseObject({ challenge: z.string() }) })

const credentialFields = {
  id: base64UrlSchema.max(1400),
  rawId: base64UrlSchema.max(1400),
  type: z.literal('public-key'),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).nullish(),
  clientExtensionResults: z.looseObject({}).default({}),
}

/** A passkey of the own account; its public half alone is stored. */
export const passkeySchema = z.object({
  id: z.int(),
  name: z.string(),
  /** True where the authenticator keeps copies on other devices. */
  is_synced: z.boolean(),
  created_at: instantSchema,
  last_used_at: instantSchema.nullable(),
})

/** A passkey of the own account. */
export type Passkey = z.infer<typeof passkeySchema>

const passkeyNameSchema = z.string().trim().min(1).max(64)

/** `GET /api/user/passkeys/` */
export const listPasskeys = defineCall({
  name: 'listPasskeys',
  method: 'GET',
  path: '/api/user/passkeys/',
  summary: 'Own passkeys, the oldest first',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: z.array(passkeySchema) },
})

/** `POST /api/user/passkeys/options/` */
export const beginPasskey = defineCall({
  name: 'beginPasskey',
  method: 'POST',
  path: '/api/user/passkeys/options/',
  summary: 'Begin to add a passkey: what the browser asks the authenticator for',
  tag: 'account',
  access: 'recent',
  // A passkey opens the account without a code, so adding one must not be easier than signing in.
  body: z.object({ second_factor: secondFactorCodeSchema.optional() }),
  responses: { 200: ceremonySchema },
  errors: [
    'second_factor_required',
    'second_factor_wrong',
    'passkeys_unavailable',
    'passkey_limit',
  ],
})

/** `POST /api/user/passkeys/` */
export const addPasskey = defineCall({
  name: 'addPasskey',
  method: 'POST',
  path: '/api/user/passkeys/',
  summary: 'Add the passkey that the authenticator made',
  tag: 'account',
  access: 'recent',
  body: z.object({
    name: passkeyNameSchema,
    response: z.object({
      ...credentialFields,
      response: z.object({
        clientDataJSON: base64UrlSchema,
        attestationObject: base64UrlSchema,
        transports: z.array(z.string().max(32)).max(10).optional(),
      }),
    }),
  }),
  responses: { 201: passkeySchema },
  errors: ['passkey_refused', 'passkeys_unavailable', 'passkey_limit'],
})

/** `PATCH /api/user/passkeys/{id}/` */
export const renamePasskey = defineCall({
  name: 'renamePasskey',
  method: 'PATCH',
  path: '/api/user/passkeys/{id}/',
  summary: 'Give one of the own passkeys another name',
  tag: 'account',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  body: z.object({ name: passkeyNameSchema }),
  responses: { 200: passkeySchema },
  errors: ['not_found'],
})

/** `DELETE /api/user/passkeys/{id}/` */
export const deletePasskey = defineCall({
  name: 'deletePasskey',
  method: 'DELETE',
  path: '/api/user/passkeys/{id}/',
  summary: 'Take one of the own passkeys away; never the last way into the account',
  tag: 'account',
  access: 'recent',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found', 'last_way_in'],
})

/** `POST /custom/passkey/options/` */
export const beginPasskeySignIn = defineCall({
  name: 'beginPasskeySignIn',
  method: 'POST',
  path: '/custom/passkey/options/',
  summary: 'Begin to sign in with a passkey; names no account',
  tag: 'sign-in',
  access: 'anyone',
  responses: { 200: ceremonySchema },
  errors: ['passkeys_unavailable'],
})

const assertionBody = z.object({
  response: z.object({
    ...credentialFields,
    response: z.object({
      clientDataJSON: base64UrlSchema,
      authenticatorData: base64UrlSchema,
      signature: base64UrlSchema,
      userHandle: base64UrlSchema.max(100).optional(),
    }),
  }),
})

/** `POST /custom/passkey/login/`: possession and user verification together stand for both factors. */
export const signInWithPasskey = defineCall({
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/custom/passkey/login/',
  summary: 'Sign in with a passkey',
  tag: 'sign-in',
  access: 'anyone',
  body: assertionBody,
  responses: { 200: z.object({ id: z.int() }) },
  errors: ['passkey_refused', 'passkeys_unavailable', 'sign_in_expired'],
})

/** `POST /custom/reauthenticate/passkey/`: makes the current session a recent one. */
export const reauthenticateWithPasskey = defineCall({
  name: 'reauthenticateWithPasskey',
  method: 'POST',
  path: '/custom/reauthenticate/passkey/',
  summary: 'Show one of the own passkeys before a sensitive change; begins like a sign-in with one',
  tag: 'sign-in',
  access: 'signed_in',
  body: assertionBody,
  responses: { 200: z.object({ id: z.int() }) },
  errors: ['passkey_refused', 'passkeys_unavailable'],
})
