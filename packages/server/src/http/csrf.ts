import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a CSRF value belongs to: a session's cookie, or the cookie a browser has before it signs in. */
export type CsrfSubject = { kind: 'session' | 'pre'; secret: string }

/**
 * The value that the page has to repeat. Bound to a cookie that scripts cannot read: an attacker who tosses in a `csrftoken`
 * of his own cannot make the one that fits the victim's other cookie.
 */
export function csrfValueFor(key: Buffer, subject: CsrfSubject): string {
  return createHmac('sha256', key).update(`${subject.kind}\n${subject.secret}`).digest('base64url')
}

/** Compares in constant time. */
export function isSameSecret(given: string | undefined, expected: string): boolean {
  if (given === undefined) return false
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
