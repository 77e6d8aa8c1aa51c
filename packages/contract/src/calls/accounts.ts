import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { captchaTicketSchema } from './captcha.ts'
import {
  idSchema,
  instantSchema,
  newPasswordSchema,
  typedSecretSchema,
  usernameSchema,
} from './schemas.ts'
import { secondFactorCodeSchema } from './second-factor.ts'

/** The user profile, fields of client.md section 3. */
export const profileSchema = z.object({
  id: z.int(),
  username: z.string(),
  email: z.string(),
  /** The account's enrolment token (令牌). */
  token: z.string(),
  /** The profile's own API address. */
  url: z.string(),
  is_payed: z.boolean(),
  is_promoter: z.boolean(),
  is_staff: z.boolean(),
  is_superuser: z.boolean(),
  readed_announcement_id: z.int(),
  accepted_terms_of_service: z.boolean(),
  accepted_terms_of_payment: z.boolean(),
  phone_bound_at: instantSchema.nullable(),
  /** E.164 (`+8613800138000`); empty where none is bound. */
  phone_number: z.string(),
  phone_verified: z.boolean(),
  /** False for an account that is entered another way. */
  has_password: z.boolean(),
})

/** The user profile. */
export type Profile = z.infer<typeof profileSchema>

/** `GET /api/profile/`: a list of one profile, or an empty list where nobody is signed in. */
export const getProfile = defineCall({
  name: 'getProfile',
  method: 'GET',
  path: '/api/profile/',
  summary: 'The signed-in user, as a list of at most one',
  tag: 'account',
  access: 'anyone',
  responses: { 200: z.array(profileSchema) },
})

const emailSchema = z.union([z.literal(''), z.email().max(254)])

/** `PATCH /api/profile/{id}/` */
export const patchProfile = defineCall({
  name: 'patchProfile',
  method: 'PATCH',
  path: '/api/profile/{id}/',
  summary: 'Change the own profile; a new e-mail address counts once its link was opened',
  tag: 'account',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  body: z
    .object({
      readed_announcement_id: z.int().min(0),
      accepted_terms_of_service: z.literal(true),
      accepted_terms_of_payment: z.literal(true),
      username: usernameSchema,
      email: emailSchema,
    })
    .partial(),
  responses: { 200: profileSchema },
  errors: ['not_found', 'username_taken', 'recent_sign_in_required', 'mail_off'],
})

/** `PATCH /custom/profile/` */
export const patchOwnProfile = defineCall({
  name: 'patchOwnProfile',
  method: 'PATCH',
  path: '/custom/profile/',
  summary: 'Change own user name and e-mail address; the latter counts once its link was opened',
  tag: 'account',
  access: 'signed_in',
  body: z.object({ username: usernameSchema, email: emailSchema }).partial(),
  responses: { 200: profileSchema },
  errors: ['username_taken', 'recent_sign_in_required', 'mail_off'],
})

const signedInSchema = z.object({ id: z.int() })

/** `POST /custom/login/` */
export const login = defineCall({
  name: 'login',
  method: 'POST',
  path: '/custom/login/',
  summary: 'Sign in with user name, e-mail address or phone number, and password',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({
    account: z.string().trim().min(1).max(254),
    password: typedSecretSchema,
    captcha_ticket: captchaTicketSchema.optional(),
    /** Where it is absent and the account has one, `finishSignIn` takes it after the right password. */
    second_factor: secondFactorCodeSchema.optional(),
  }),
  responses: { 200: signedInSchema },
  errors: [
    'invalid_credentials',
    'captcha_required',
    'second_factor_required',
    'second_factor_wrong',
    'sign_in_expired',
    'busy',
  ],
})

/** `POST /custom/login/second-step/`: after `second_factor_required` of any way in, from the same browser and address. */
export const finishSignIn = defineCall({
  name: 'finishSignIn',
  method: 'POST',
  path: '/custom/login/second-step/',
  summary: 'End a sign-in that waits for its two-step code',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({ second_factor: secondFactorCodeSchema }),
  responses: { 200: signedInSchema },
  errors: ['second_factor_wrong', 'sign_in_expired'],
})

/** `POST /custom/reauthenticate/`: makes the current session a recent one. */
export const reauthenticate = defineCall({
  name: 'reauthenticate',
  method: 'POST',
  path: '/custom/reauthenticate/',
  summary: 'Confirm the own password before a sensitive change',
  tag: 'sign-in',
  access: 'signed_in',
  body: z.object({ password: typedSecretSchema }),
  responses: { 200: signedInSchema },
  errors: ['wrong_password', 'busy'],
})

/** `GET /api/login_status/` */
export const getLoginStatus = defineCall({
  name: 'getLoginStatus',
  method: 'GET',
  path: '/api/login_status/',
  summary: 'Whether the browser is signed in',
  tag: 'sign-in',
  access: 'anyone',
  responses: { 200: z.object({ logged_in: z.boolean(), id: z.int().nullable() }) },
})

/** `POST /custom/password/`: every other session ends. */
export const changePassword = defineCall({
  name: 'changePassword',
  method: 'POST',
  path: '/custom/password/',
  summary: 'Change the own password; the first one needs no old one but a recent sign-in',
  tag: 'account',
  access: 'signed_in',
  body: z.object({ old_password: typedSecretSchema.optional(), new_password: newPasswordSchema }),
  responses: { 200: signedInSchema },
  errors: ['wrong_password', 'recent_sign_in_required', 'busy'],
})

/** `POST /custom/setup/`: the first start's one-time link makes the administrator and signs them in. */
export const setUp = defineCall({
  name: 'setUp',
  method: 'POST',
  path: '/custom/setup/',
  summary: 'Make the administrator with the one-time code of the first start',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({
    code: typedSecretSchema,
    username: usernameSchema,
    password: newPasswordSchema,
  }),
  responses: { 201: signedInSchema },
  errors: ['setup_code_invalid', 'busy'],
})

/** `POST /custom/signup/`: open, or with the code of an invitation, as configured. */
export const signUp = defineCall({
  name: 'signUp',
  method: 'POST',
  path: '/custom/signup/',
  summary: 'Make an account and sign in',
  tag: 'sign-in',
  access: 'anyone',
  body: z.object({
    username: usernameSchema,
    password: newPasswordSchema,
    invite: z.string().max(100).optional(),
    accepted_terms_of_service: z.literal(true),
  }),
  responses: { 201: signedInSchema },
  errors: ['signup_closed', 'invite_invalid', 'username_taken', 'busy'],
})

/** An invitation of staff: single use; its address is shown once, when it is made. */
export const inviteSchema = z.object({
  id: z.int(),
  remark: z.string(),
  created_at: instantSchema,
  expires_at: instantSchema,
  used_at: instantSchema.nullable(),
  used_by: z.string().nullable(),
})

/** An invitation of staff. */
export type Invite = z.infer<typeof inviteSchema>

/** `GET /api/admin/invites/` */
export const listInvites = defineCall({
  name: 'listInvites',
  method: 'GET',
  path: '/api/admin/invites/',
  summary: 'The newest 100 invitations of staff',
  tag: 'staff',
  access: 'staff',
  responses: { 200: z.array(inviteSchema) },
})

/** `POST /api/admin/invites/` */
export const createInvite = defineCall({
  name: 'createInvite',
  method: 'POST',
  path: '/api/admin/invites/',
  summary: 'Make a single-use sign-up link',
  tag: 'staff',
  access: 'staff',
  body: z.object({
    remark: z.string().trim().max(100).default(''),
    days: z.int().min(1).max(30).default(7),
  }),
  responses: { 201: inviteSchema.extend({ url: z.string() }) },
})

/** `DELETE /api/admin/invites/{id}/` */
export const deleteInvite = defineCall({
  name: 'deleteInvite',
  method: 'DELETE',
  path: '/api/admin/invites/{id}/',
  summary: 'Take an unused sign-up link back',
  tag: 'staff',
  access: 'staff',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found'],
})

/** How a session began; `unknown` for those from before this was written down. */
export const signInWays = ['password', 'passkey', 'phone', 'sso', 'sign_up', 'unknown'] as const

/** How a session began. */
export type SignInWay = (typeof signInWays)[number]

/** One sign-in of the user on one browser. */
export const sessionSchema = z.object({
  id: z.int(),
  current: z.boolean(),
  user_agent: z.string(),
  /** Where it came from, the end of a public address left out: `203.0.113.*`, `2001:db8:1::*`. */
  address: z.string(),
  /** What can be told of the address without asking anybody: `same` is the network this call came from. */
  network: z.enum(['same', 'loopback', 'private', 'public']),
  way: z.enum(signInWays),
  /** Whether a second factor was shown, too. */
  second_factor: z.boolean(),
  created_at: instantSchema,
  last_seen_at: instantSchema,
  expires_at: instantSchema,
})

/** One sign-in of the user on one browser. */
export type UserSession = z.infer<typeof sessionSchema>

/** `GET /api/user/sessions/` */
export const listSessions = defineCall({
  name: 'listSessions',
  method: 'GET',
  path: '/api/user/sessions/',
  summary: 'Own live sessions, the current one first',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: z.array(sessionSchema) },
})

/** `DELETE /api/user/sessions/{id}/` */
export const deleteSession = defineCall({
  name: 'deleteSession',
  method: 'DELETE',
  path: '/api/user/sessions/{id}/',
  summary: 'End one of the own sessions',
  tag: 'account',
  access: 'signed_in',
  params: z.object({ id: idSchema }),
  responses: { 204: null },
  errors: ['not_found'],
})

/** `POST /api/user/sessions/end-others/` */
export const endOtherSessions = defineCall({
  name: 'endOtherSessions',
  method: 'POST',
  path: '/api/user/sessions/end-others/',
  summary: 'End every own session but the one that asks',
  tag: 'account',
  access: 'signed_in',
  responses: { 200: z.object({ ended: z.int() }) },
})

/** `POST /api/user/token-reset/`: commands and QR codes made with the old token stop working. */
export const resetToken = defineCall({
  name: 'resetToken',
  method: 'POST',
  path: '/api/user/token-reset/',
  summary: 'Replace the enrolment token; paired devices stay paired',
  tag: 'account',
  access: 'recent',
  responses: { 200: profileSchema },
})

/** `GET /api/user/token-sign/` */
export const signToken = defineCall({
  name: 'signToken',
  method: 'GET',
  path: '/api/user/token-sign/',
  summary: 'A signed, single-use form of the enrolment token that lives 10 minutes',
  tag: 'account',
  access: 'signed_in',
  writes: true,
  responses: { 200: z.object({ token: z.string(), expires_at: instantSchema }) },
})
