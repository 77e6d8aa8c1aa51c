import { createHmac, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import type { UserId } from '../accounts/user-id.ts'

/** Length of a time step in s (RFC 6238; what every authenticator app takes). */
const stepSeconds = 30

/** Codes of this many steps before and after the present one are taken too: clocks of phones differ. */
const stepWindow = 1

/** 160 bits, the length of the HMAC (RFC 4226 section 4). */
const secretBytes = 20

/** Recovery codes of one set. */
export const recoveryCodeCount = 10

/** Crockford's base 32 (no i, l, o, u): 5 bits each without bias. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Letters of a recovery code: 50 bits. */
const recoveryCodeLength = 10

/** A fresh secret. */
export const createTotpSecret = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(randomBytes(secretBytes))

const totpOf = (secret: Uint8Array<ArrayBuffer>, label = '', issuer = '') =>
  new TOTP({ secret: new Secret({ buffer: secret.buffer }), period: stepSeconds, label, issuer })

/** The secret as it is typed into an app, and as the address behind a QR code. */
export function describeSecret(
  secret: Uint8Array<ArrayBuffer>,
  { label, issuer }: { label: string; issuer: string },
): { secret: string; url: string } {
  const totp = totpOf(secret, label, issuer)
  return { secret: totp.secret.base32, url: totp.toString() }
}

/** The time step that a code belongs to, or null where it is none of those that count now. */
export function findStep(
  secret: Uint8Array<ArrayBuffer>,
  code: string,
  now: number,
): number | null {
  if (!/^\d{6}$/.test(code)) return null
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window: stepWindow })
  return delta === null ? null : Math.floor(now / 1000 / stepSeconds) + delta
}

/** What was typed without what people add for reading. */
export const plainCode = (typed: string) => typed.replace(/[\s-]/g, '').toLowerCase()

/** A fresh set of recovery codes, as shown: `xxxxx-xxxxx`. */
export function createRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const letters = Array.from(
      randomBytes(recoveryCodeLength),
      byte => alphabet[byte % alphabet.length],
    ).join('')
    return `${letters.slice(0, 5)}-${letters.slice(5)}`
  })
}

/** HMAC of a recovery code, bound to its account. */
export const hashRecoveryCode = (key: Buffer, userId: UserId, code: string) =>
  createHmac('sha256', key)
    .update(`${userId}\n${plainCode(code)}`)
    .digest('base64url')
