import { sha256 } from './sha256.ts'

/** Time of one slice of work in ms: the page still answers a key within two frames. */
const sliceMs = 25

interface Work {
  salt: string
  bits: number
  parts: number
}

/**
 * Finds for each part the number whose `salt:part:number` hashes to `bits` zero bits, in slices so that the page stays
 * alive, and tells the share that is done. Rejects with the signal's reason when it is aborted.
 */
export async function findNonces(
  { salt, bits, parts }: Work,
  signal: AbortSignal,
  onShare: (share: number) => void,
): Promise<number[]> {
  const found: number[] = []
  let nonce = 0
  while (found.length < parts) {
    signal.throwIfAborted()
    const endsAt = performance.now() + sliceMs
    do {
      const [word = 0] = sha256(`${salt}:${found.length}:${nonce}`)
      nonce += 1
      if (word >>> (32 - bits) !== 0) continue
      found.push(nonce - 1)
      nonce = 0
    } while (found.length < parts && performance.now() < endsAt)
    onShare(found.length / parts)
    await new Promise(resolve => setTimeout(resolve))
  }
  return found
}
