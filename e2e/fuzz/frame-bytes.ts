import { wireFrame } from '../../packages/tunnel/src/yamux/test-wire.ts'
import { below, mutate, noise, pick, type Random } from './bytes.ts'

/** Numbers at the borders of what a header may say. */
export const frameWords: readonly Buffer[] = [
  ...[[0], [1], [3], [4], [0xff], [0x80], [0x7f], [0x7e], [0, 0], [0xff, 0xff], [0, 0, 0, 0]],
  ...[
    [0xff, 0xff, 0xff, 0xff],
    [0, 4, 0, 0],
    [0, 0, 0x80, 0],
    [0, 0, 0x80, 1],
    [0, 0, 0, 12],
  ],
].map(bytes => Buffer.from(bytes))

/** Frames of a peer that mostly keeps to the protocol: opens, sends, closes and resets streams of the given parity. */
export function makeFrames(random: Random, firstId = 1): Buffer {
  if (random() < 0.03) return noise(random, below(random, 200))
  const frames: Buffer[] = []
  let opened = 0
  for (let count = 1 + below(random, 30); count > 0; count -= 1) {
    const kind = random()
    if (opened === 0 || kind < 0.25) {
      const id = firstId + 2 * opened++
      frames.push(wireFrame([below(random, 2), 1, id, 0]))
      continue
    }
    const id = firstId + 2 * below(random, opened)
    if (kind < 0.6) {
      const payload = noise(random, below(random, random() < 0.1 ? 33_000 : 200))
      frames.push(wireFrame([0, pick(random, [0, 0, 0, 0, 4]), id], payload))
    } else if (kind < 0.75) {
      const delta = pick(random, [0, 1, 65_536, 262_144, 0xffffffff])
      frames.push(wireFrame([1, pick(random, [0, 0, 2, 4, 8]), id, delta]))
    } else if (kind < 0.9)
      frames.push(wireFrame([2, 1 + below(random, 2), 0, below(random, 2 ** 32)]))
    else if (kind < 0.93) frames.push(wireFrame([3, 0, 0, below(random, 4)]))
    else
      frames.push(
        wireFrame([below(random, 5), below(random, 20), below(random, 40), below(random, 40_000)]),
      )
  }
  const bytes = Buffer.concat(frames)
  // Half keep to the framing, so that what stands behind it is put to the test.
  return random() < 0.5 ? bytes : mutate(bytes, random, frameWords, 3)
}
