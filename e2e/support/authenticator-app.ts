import { createHmac } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

/** An authenticator app with one secret, written from RFC 6238 and apart from the library the server uses. */
export function createAuthenticatorApp(secret: string) {
  const bits = [...secret].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0'))
  const key = Buffer.from(
    (bits.join('').match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)),
  )
  let last: number | undefined

  function codeOf(step: number): string {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const hash = createHmac('sha1', key).update(counter).digest()
    const offset = (hash.at(-1) ?? 0) & 15
    return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
  }
  return {
    /**
     * A code that was not used yet and counts now, or as the next step's does already. Two within one step at most: no
     * third one would be taken, and nothing here waits.
     */
    next(): string {
      last = Math.max((last ?? 0) + 1, Math.floor(Date.now() / stepMs))
      return codeOf(last)
    },
    /** The code that was given last. */
    again: () => codeOf(last ?? 0),
  }
}
