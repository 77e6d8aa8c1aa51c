import { type GatePass, unsealPass } from '@homeport/contract/gate'
import { createBoundedMap } from '../routing/bounded-map.ts'

// Only what the key has signed is kept, about 1 KiB each: a visitor cannot fill it with texts of their own.
const passLimit = 4096

/** Reads the value of a gate cookie; null where it is forged, malformed or expired. `now` is epoch ms. */
export type PassReader = (text: string, now: number) => GatePass | null

/**
 * Makes the reader of one key. A browser sends its cookie with every request, and the check of a signature costs a third of what the
 * relay spends on a request (7 µs): a cookie that was once found good is found again by its text.
 */
export function createPassReader(key: Buffer): PassReader {
  const known = createBoundedMap<string, GatePass>(passLimit)
  return (text, now) => {
    const held = known.get(text)
    if (held !== undefined && held.expiresAt > now) return held
    const pass = unsealPass(key, text, now)
    if (pass === null) known.delete(text)
    else known.set(text, pass)
    return pass
  }
}
