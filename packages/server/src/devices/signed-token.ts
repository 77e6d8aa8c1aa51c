import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** A signed token lives this long in ms: 10 minutes (decisions.md section 3). */
export const signedTokenLifetimeMs = 10 * 60 * 1000

const prefix = 'hps1.'

const payloadSchema = z.object({
  /** Id of the account. */
  user: z.int().positive(),
  /** Fingerprint of the long-lived token it stands for: a reset changes it and so kills what is outstanding. */
  fingerprint: z.string(),
  /** Makes it single-use. */
  id: z.string().regex(/^[A-Za-z0-9_-]{22}$/),
  /** Epoch ms. */
  expiresAt: z.int(),
})

/** What a signed token says. */
export type SignedToken = z.infer<typeof payloadSchema>

/** True for a text that claims to be a signed token; a long-lived one never looks like it. */
export const isSignedToken = (text: string): boolean => text.startsWith(prefix)

const sign = (key: Buffer, payload: string) =>
  createHmac('sha256', key).update(`homeport/1 pairing-token\n${payload}`).digest()

/** Makes `hps1.<payload>.<hmac>` (both base64url), valid for `signedTokenLifetimeMs`. */
export function signEnrolment(
  key: Buffer,
  token: { user: number; fingerprint: string; now: number },
): { text: string; id: string; expiresAt: number } {
  const expiresAt = token.now + signedTokenLifetimeMs
  const content: SignedToken = {
    user: token.user,
    fingerprint: token.fingerprint,
    id: randomBytes(16).toString('base64url'),
    expiresAt,
  }
  const payload = Buffer.from(JSON.stringify(content)).toString('base64url')
  return {
    text: `${prefix}${payload}.${sign(key, payload).toString('base64url')}`,
    id: content.id,
    expiresAt,
  }
}

/** Checks signature and expiry; null for anything that is not a live signed token. */
export function readSignedToken(key: Buffer, text: string, now: number): SignedToken | null {
  const [payload, signature, ...rest] = text.slice(prefix.length).split('.')
  if (!isSignedToken(text) || payload === undefined || signature === undefined || rest.length > 0) {
    return null
  }
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(key, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const parsed = payloadSchema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  return parsed.success && parsed.data.expiresAt > now ? parsed.data : null
}
