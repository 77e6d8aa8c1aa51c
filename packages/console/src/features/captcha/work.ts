import { sha256 } from './sha256.ts'

/** Time of one slice of work in ms: the page still answers a key within two frames. */
const sliceMs = 25

/**
 * Finds the number whose `salt:number` hashes to `bits` zero bits, in slices so that the page stays alive. Rejects with the
 * signal's reason when it is aborted.
 */
export async function findNonce(
  { salt, bits }: { salt: string; bits: number },
  signal: AbortSignal,
): Promise<number> {
  let nonce = 0
  for (;;) {
    signal.throwIfAborted()
    const endsAt = performance.now() + sliceMs
    do {
      if ((sha256(`${salt}:${nonce}`)[0] as number) >>> (32 - bits) === 0) return nonce
      nonce += 1
    } while (performance.now() < endsAt)
    await new Promise(resolve => setTimeout(resolve))
  }
}
