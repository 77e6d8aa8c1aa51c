import { createHash } from 'node:crypto'

/** Zero bits asked of a hash: about a million hashes, some seconds of a phone. */
export const workBits = 20

/** True where the SHA-256 of `salt:nonce` begins with `bits` zero bits. */
export function isWorkDone(salt: string, nonce: number, bits: number): boolean {
  const hash = createHash('sha256').update(`${salt}:${nonce}`).digest()
  return hash.readUInt32BE(0) >>> (32 - bits) === 0
}
