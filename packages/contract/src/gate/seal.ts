import { createHmac, timingSafeEqual } from 'node:crypto'
import type { z } from 'zod'

/** What a sealed text is for; part of the signed bytes, so that one can never stand in for another. */
export type SealPurpose = 'gate-ticket' | 'gate-cookie'

const sign = (key: Buffer, purpose: SealPurpose, payload: string) =>
  createHmac('sha256', key).update(`homeport/1 ${purpose}\n${payload}`).digest()

/** Signs a JSON value: `payload.signature`, both base64url; safe in a cookie and in a query. */
export function seal(key: Buffer, purpose: SealPurpose, value: unknown): string {
  const payload = Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${payload}.${sign(key, purpose, payload).toString('base64url')}`
}

/** Checks the signature in constant time and the shape; null for anything else. Expiry is the caller's. */
export function unseal<S extends z.ZodType>(
  key: Buffer,
  purpose: SealPurpose,
  schema: S,
  text: string,
): z.output<S> | null {
  if (text.length > 2048) return null
  const [payload, signature, ...rest] = text.split('.')
  if (payload === undefined || signature === undefined || rest.length > 0) return null
  const given = Buffer.from(signature, 'base64url')
  const expected = sign(key, purpose, payload)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const parsed = schema.safeParse(JSON.parse(Buffer.from(payload, 'base64url').toString()))
  return parsed.success ? parsed.data : null
}
