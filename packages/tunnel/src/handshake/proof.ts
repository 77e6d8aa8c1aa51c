import { createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto'

/** What a device signs to prove its key: fresh by the nonce, bound to the host it meant to reach. */
export interface ProofClaim {
  /** The relay's challenge, 32 random bytes as base64url. */
  readonly nonce: string
  /** The Host header of the upgrade request, so that a relay in the middle cannot pass the proof on. */
  readonly host: string
  readonly device: string
  readonly agentVersion: string
  readonly session: string
}

// Another use of the same key can never produce a message that starts like this.
const DOMAIN = 'homeport/1 link proof'
const RAW_KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** 32 fresh random bytes, base64url. */
export function createNonce(): string {
  return randomBytes(32).toString('base64url')
}

/** Signs a claim with an Ed25519 private key; the answer is base64url. */
export function signProof(privateKey: KeyObject, claim: ProofClaim): string {
  return sign(null, encodeClaim(claim), privateKey).toString('base64url')
}

/** Does the signature prove the key for this claim? A malformed key or signature proves nothing. */
export function isProofValid(publicKey: string, claim: ProofClaim, signature: string): boolean {
  const key = parsePublicKey(publicKey)
  const bytes = Buffer.from(signature, 'base64url')
  if (key === null || bytes.length !== SIGNATURE_BYTES) return false
  return verify(null, encodeClaim(claim), key, bytes)
}

/** The public half of an Ed25519 key as it is stored and sent: its 32 raw bytes, base64url (RFC 8037, "x"). */
export function exportPublicKey(key: KeyObject): string {
  const { x } = (key.type === 'private' ? createPublicKey(key) : key).export({ format: 'jwk' })
  if (typeof x !== 'string') throw new TypeError('not an Ed25519 key')
  return x
}

/** Reads what `exportPublicKey` wrote; null when it is not 32 bytes of base64url. */
export function parsePublicKey(text: string): KeyObject | null {
  const raw = Buffer.from(text, 'base64url')
  if (raw.length !== RAW_KEY_BYTES || raw.toString('base64url') !== text) return null
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: text }, format: 'jwk' })
}

// Each field is preceded by its length (u32, big endian), so no two claims share their bytes.
function encodeClaim(claim: ProofClaim): Buffer {
  const { nonce, host, device, agentVersion, session } = claim
  const parts: Buffer[] = []
  for (const field of [DOMAIN, nonce, host.toLowerCase(), device, agentVersion, session]) {
    const bytes = Buffer.from(field)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    parts.push(length, bytes)
  }
  return Buffer.concat(parts)
}
