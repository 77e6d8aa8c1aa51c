import { z } from 'zod'
import { defineCall } from '../kit/call.ts'
import { instantSchema } from './schemas.ts'
import { ssoEventSchema } from './sso.ts'

/** Seconds that a long poll may wait at most (client.md section 9), and what the console asks for. */
export const ssoPollSeconds = 30

/** The category of a sign-on's events. */
export const ssoCategoryOf = (id: string): string => `weixin-oauth-${id}`

/** One event of a category. */
export const ssoTimedEventSchema = z.object({
  /** Epoch ms of the server, growing within a category. */
  timestamp: z.int(),
  category: z.string(),
  data: ssoEventSchema,
})

/** `GET /sso/events`: a category that is not the caller's waits and answers like an empty one. */
export const pollSsoEvents = defineCall({
  name: 'pollSsoEvents',
  method: 'GET',
  path: '/sso/events',
  summary: 'Wait for what happens to a sign-on that this browser began (long poll)',
  tag: 'sign-in',
  access: 'anyone',
  query: z.object({
    timeout: z.coerce.number().int().min(1).max(ssoPollSeconds).default(ssoPollSeconds),
    category: z.string().regex(/^weixin-oauth-[A-Za-z0-9_-]{22}$/),
    /**
     * Epoch ms. The timestamp of an event that was received says that it need not come again; any other value, also one
     * of a clock that is fast, keeps nothing back that was not delivered.
     */
    since_time: z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER).default(0),
  }),
  responses: {
    200: z.union([
      z.object({ events: z.array(ssoTimedEventSchema) }),
      /** Nothing came: the seconds that were asked for, and the server's clock in epoch ms. */
      z.object({ timeout: z.int(), timestamp: z.int() }),
    ]),
  },
  errors: ['busy'],
})

const randomIdSchema = z.string().regex(/^[A-Za-z0-9_-]{22}$/)

/** What somebody asks a signed-in person to confirm. */
export const ssoRequestSchema = z.object({
  /** Four digits that both screens show. */
  number: z.string(),
  user_agent: z.string(),
  address: z.string(),
  /** The one who asks and the one who is asked came from the same address (IPv6: the same /64). */
  is_same_network: z.boolean(),
  created_at: instantSchema,
  expires_at: instantSchema,
})

/** What somebody asks a signed-in person to confirm. */
export type SsoRequest = z.infer<typeof ssoRequestSchema>

const requestBody = z.object({ request: randomIdSchema })

/** `POST /api/user/sso-requests/open/`: from then on it is this account's alone to answer. */
export const openSsoRequest = defineCall({
  name: 'openSsoRequest',
  method: 'POST',
  path: '/api/user/sso-requests/open/',
  summary: 'Show who asks to be signed in as the own account; the browser that asks is told',
  tag: 'sign-in',
  access: 'signed_in',
  body: requestBody,
  responses: { 200: ssoRequestSchema },
  errors: ['sso_request_gone'],
})

const answeredSchema = z.object({ answer: z.enum(['confirmed', 'refused']) })

/** `POST /api/user/sso-requests/confirm/`: once. */
export const confirmSsoRequest = defineCall({
  name: 'confirmSsoRequest',
  method: 'POST',
  path: '/api/user/sso-requests/confirm/',
  summary: 'Let the browser that asks sign in as the own account',
  tag: 'sign-in',
  access: 'signed_in',
  body: requestBody,
  responses: { 200: answeredSchema },
  errors: ['sso_request_gone'],
})

/** `POST /api/user/sso-requests/refuse/`: once. */
export const refuseSsoRequest = defineCall({
  name: 'refuseSsoRequest',
  method: 'POST',
  path: '/api/user/sso-requests/refuse/',
  summary: 'Refuse the browser that asks; it is told',
  tag: 'sign-in',
  access: 'signed_in',
  body: requestBody,
  responses: { 200: answeredSchema },
  errors: ['sso_request_gone'],
})
