import { hkdfSync } from 'node:crypto'

/** Keys of single purposes, 32 bytes each, all derived from the one secret key. */
export interface ServerKeys {
  /** Gate tickets and gate cookies; relays get it. */
  readonly gate: Buffer
  readonly csrf: Buffer
  /** AES-256-GCM of enrolment tokens. */
  readonly tokenEncryption: Buffer
  /** HMAC index of enrolment tokens. */
  readonly tokenIndex: Buffer
  /** Signed, short-lived forms of enrolment tokens. */
  readonly tokenSign: Buffer
  /** HMAC of set-up codes. */
  readonly setup: Buffer
  /** AES-256-GCM of the secrets behind two-step codes. */
  readonly totpEncryption: Buffer
  /** HMAC of recovery codes: a stolen table alone cannot be searched for them. */
  readonly recoveryCode: Buffer
  /** HMAC that names an account to authenticators, and a browser to a passkey's challenge. */
  readonly passkey: Buffer
  /** HMAC that names a browser to the sign-ons it began. */
  readonly ssoBrowser: Buffer
  /** AES-256-GCM of what a browser is told of its sign-on. */
  readonly ssoEvent: Buffer
  /** AES-256-GCM of what the server keeps of a sign-on that is under way. */
  readonly ssoEncryption: Buffer
  /** HMAC of codes of text messages, and of the numbers they went to. */
  readonly sms: Buffer
  /** HMAC of e-mail addresses that somebody asked a letter for. */
  readonly mail: Buffer
  /** Names the secret key in what it encrypted, so that a later one can be told from it; not a secret. */
  readonly id: string
}

/** Derives every key (HKDF-SHA256, RFC 5869, one label each), so that none can stand in for another. */
export function deriveKeys(secretKey: Uint8Array): ServerKeys {
  if (secretKey.byteLength !== 32) throw new RangeError('the secret key must be 32 bytes')
  const derive = (label: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', secretKey, '', `homeport/1 ${label}`, bytes))
  return {
    gate: derive('gate'),
    csrf: derive('csrf'),
    tokenEncryption: derive('token-encryption'),
    tokenIndex: derive('token-index'),
    tokenSign: derive('token-sign'),
    setup: derive('setup'),
    totpEncryption: derive('totp-encryption'),
    recoveryCode: derive('recovery-code'),
    passkey: derive('passkey'),
    ssoBrowser: derive('sso-browser'),
    ssoEvent: derive('sso-event'),
    ssoEncryption: derive('sso-encryption'),
    sms: derive('sms'),
    mail: derive('mail'),
    id: derive('key-id', 4).toString('hex'),
  }
}
