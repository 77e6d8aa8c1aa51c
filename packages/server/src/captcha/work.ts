import { createHash } from 'node:crypto'

/** The work of a challenge. */
export interface Work {
  salt: string
  /** Zero bits asked of each part's hash, at most 32. */
  bits: number
  parts: number
}

/** About a million hashes, some seconds of a phone. Many small parts take about as long each time; one large one can take five times that. */
export const workSize: Pick<Work, 'bits' | 'parts'> = { bits: 16, parts: 16 }

/** True where the SHA-256 of `salt:part:nonce` begins with the zero bits. */
export function isPartDone({ salt, bits }: Work, part: number, nonce: number): boolean {
  const hash = createHash('sha256').update(`${salt}:${part}:${nonce}`).digest()
  return hash.readUInt32BE(0) >>> (32 - bits) === 0
}

/** True where every part is done. */
export const isWorkDone = (work: Work, nonces: readonly number[]): boolean =>
  nonces.length === work.parts && nonces.every((nonce, part) => isPartDone(work, part, nonce))
