import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { idSchema, instantSchema } from './schemas.ts'
import { secondFactorCodeSchema } from './second-factor.ts'

/** How a sign-on on another device goes on: the `data` of the long poll's events of category `weixin-oauth-<id>`. */
export const ssoEventSchema = z.discriminatedUnion('state', [
  /** Somebody signed in opened it on another device; both screens show the number. */
  z.object({ state: z.literal('scanned'), number: z.string() }),
  /** The code is for `GET /custom/check/`, once, and for the browser that began alone. */
  z.object({ state: z.literal('confirmed'), code: z.string() }),
  z.object({ state: z.literal('denied') }),
])

/** How a sign-on on another device goes on. */
export type SsoEventData = z.infer<typeof ssoEventSchema>

/** A provider of sign-ons, as the login page offers it. */
export const ssoProviderSchema = z.object({
  /** `homeport` (our own), `wechat`, `oidc`. */
  name: z.string(),
  label: z.string(),
  /** `scan`: another device scans the code of the address; `redirect`: the browser goes there. */
  way: z.enum(['scan', 'redirect']),
})

/** A provider of sign-ons. */
export type SsoProvider = z.infer<typeof ssoProviderSchema>

/** Name of a provider in a request. */
const providerNameSchema = z.string().min(1).max(32)

/** A sign-on that has begun. */
export const ssoBegunSchema = z.object({
  /** 128 random bits; the long poll's category is `weixin-oauth-<id>`. */
  id: z.string(),
  /** Comes back with the provider's answer, and goes to `GET /custom/check/` with it. */
  state: z.string(),
  /** Where the person goes: in this browser, or by scanning the code of the address. */
  login_url: z.string(),
  expires_at: instantSchema,
})

/** A sign-on that has begun. */
export type SsoBegun = z.infer<typeof ssoBegunSchema>

/** Where the login page leads once somebody is signed in: its own query, kept by the server while the browser is away. */
const onwardShape = {
  /** The address that was asked for. */
  url: z.string().max(2048),
  /** SHA-256 of the nonce that the gate of `url` set, base64url. */
  n: z.string().max(43),
  invalid_domain: z.string().max(253),
  pairing: z.string().max(64),
  /** A sign-in elsewhere that is to be confirmed here: `/sso/confirm?request=…`. */
  request: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  /** The link in a letter: `/user/info?confirm_email=…`. */
  confirm_email: z.string().regex(/^[A-Za-z0-9_-]{32}$/),
}

/** `POST /custom/sso/start`: kept for 10 minutes, for this browser alone. */
export const startSso = defineCall({
  name: 'startSso',
  method: 'POST',
  path: '/custom/sso/start',
  summary: 'Begin to sign in with another service, or with a signed-in phone',
  tag: 'sign-in',
  access: 'anyone',
  body: z
    .object({
      ...onwardShape,
      /** The first one of the settings where absent. */
      provider: providerNameSchema,
      /** For an account that is made by this, where sign-up needs one. */
      invite: z.string().max(100),
      accepted_terms_of_service: z.literal(true),
    })
    .partial(),
  responses: { 200: ssoBegunSchema },
  errors: ['not_found', 'sso_unavailable'],
})

const answerShape = {
  code: z.string().min(1).max(4096),
  state: z.string().min(1).max(100),
  /** Who answered (RFC 9207), where the provider says so. */
  iss: z.string().max(500).optional(),
}

const finishedSchema = z
  .object({
    id: z.int(),
    /** Name of the provider where this linked it to the account instead of signing in. */
    linked: z.string().nullable(),
    /** The session is a recent one now; whoever is signed in stays. */
    reauthenticated: z.literal(true).optional(),
    url: z.string().nullable(),
  })
  .extend(z.object(onwardShape).omit({ url: true }).partial().shape)

/** How a sign-on ended. */
export type SsoFinished = z.infer<typeof finishedSchema>

/** `GET /custom/check/`: finishes a sign-on. The code counts once; with a second factor to come it may be asked for again. */
export const checkSso = defineCall({
  name: 'checkSso',
  method: 'GET',
  path: '/custom/check/',
  summary: 'Finish a single sign-on',
  tag: 'sign-in',
  access: 'anyone',
  query: z.object(answerShape),
  responses: { 200: finishedSchema },
  errors: [
    'sso_flow_unknown',
    'sso_refused',
    'sso_unavailable',
    'signup_closed',
    'invite_invalid',
    'identity_taken',
    'recent_sign_in_required',
    'second_factor_required',
    'sign_in_expired',
  ],
})

/** `POST /custom/check/`: the second step of a sign-on that was confirmed. */
export const confirmSso = defineCall({
  name: 'confirmSso',
  method: 'POST',
  path: '/custom/check/',
  summary: 'Finish a single sign-on with the code of the second step',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({ ...answerShape, second_factor: secondFactorCodeSchema }),
  responses: { 200: finishedSchema },
  errors: ['sso_flow_unknown', 'second_factor_wrong', 'sign_in_expired'],
})

/** An identity at a provider that is linked to the account. */
export const identitySchema = z.object({
  id: z.int(),
  /** Name of the provider. */
  provider: z.string(),
  /** As the provider showed the person when it was linked; may be empty. */
  display_name: z.string(),
  created_at: instantSchema,
  last_used_at: instantSchema.nullable(),
})

/** An identity at a provider that is linked to the account. */
export type Identity = z.infer<typeof identitySchema>

/** `GET /api/user/identities/` */
export const listIdentities = defineCall({
  name: 'listIdentities',
  method: 'GET',
  path: '/api/user/identities/',
  summary: 'Own identities at other services',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: z.array(identitySchema) },
})

/** `POST /api/user/identities/`: the identity that comes back to `GET /custom/check/` is linked to the account. */
export const linkIdentity = defineCall({
  name: 'linkIdentity',
  method: 'POST',
  path: '/api/user/identities/',
  summary: 'Begin to link an identity at another service',
  tag: 'account',
  access: 'recent',
  body: z.object({ provider: providerNameSchema }),
  responses: { 200: ssoBegunSchema },
  errors: ['not_found', 'sso_unavailable'],
})

/**
 * `POST /custom/reauthenticate/identity/`: the provider asks anew who is there, and `GET /custom/check/` makes the current
 * session a recent one, for accounts without a password.
 */
export const reauthenticateWithIdentity = defineCall({
  name: 'reauthenticateWithIdentity',
  method: 'POST',
  path: '/custom/reauthenticate/identity/',
  summary:
    'Begin to confirm a sensitive change at a linked service, where the account has no password',
  tag: 'sign-in',
  access: 'signed_in',
  body: z.object({ provider: providerNameSchema }),
  responses: { 200: ssoBegunSchema },
  errors: ['not_found', 'forbidden', 'sso_unavailable'],
})

/** `DELETE /api/user/identities/{id}/` */
export const unlinkIdentity = defineCall({
  name: 'unlinkIdentity',
  method: 'DELETE',
  path: '/api/user/identities/{id}/',
  summary: 'Take an identity away; never the last way into the account',
  tag: 'account',
  access: 'recent',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found', 'last_way_in'],
})
