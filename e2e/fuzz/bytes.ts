import { createRandom } from '../../packages/tunnel/src/yamux/test-wire.ts'

/** Numbers from 0 to below 1, the same for the same seed. */
export type Random = () => number

/** The random numbers of one input: any input of a run can be made again without those before it. */
export const randomOf = (seed: number, target: string, index: number): Random => {
  let mixed = seed
  for (const sign of target) mixed = Math.imul(mixed ^ sign.charCodeAt(0), 0x01000193)
  return createRandom(Math.imul(mixed ^ index, 0x9e3779b1) ^ index)
}

/** A whole number from 0 to below `limit`. */
export const below = (random: Random, limit: number): number => Math.floor(random() * limit)

/** One of a list that is not empty. */
export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[below(random, values.length)] as Value

/** A block of this many bytes without any order is repeated in longer ones: payload that nobody interprets is not worth the time. */
const noiseBlock = 251

/** Bytes without any order. */
export const noise = (random: Random, length: number): Buffer => {
  const block = Uint8Array.from({ length: Math.min(length, noiseBlock) }, () => below(random, 256))
  return length <= noiseBlock ? Buffer.from(block) : Buffer.alloc(length, block)
}

/**
 * Changes a valid input at up to `edits` places: bits, bytes, ranges left out, doubled or replaced by a word of the
 * format; now and then it is cut short. About one in eight stays as it is, so that the valid way is walked too.
 */
export function mutate(
  input: Buffer,
  random: Random,
  words: readonly (string | Buffer)[],
  edits = 4,
): Buffer {
  if (random() < 0.125) return input
  let bytes = input
  for (let count = 1 + below(random, 1 + below(random, edits)); count > 0; count -= 1) {
    const at = below(random, bytes.length + 1)
    const end = Math.min(bytes.length, at + 1 + below(random, random() < 0.8 ? 4 : 64))
    const [head, middle, tail] = [
      bytes.subarray(0, at),
      bytes.subarray(at, end),
      bytes.subarray(end),
    ]
    switch (below(random, 8)) {
      case 0:
        bytes = Buffer.concat([head, noise(random, middle.length), tail])
        break
      case 1:
        bytes = Buffer.concat([head, tail])
        break
      case 2:
        bytes = Buffer.concat([head, middle, middle, tail])
        break
      case 3: {
        const flipped = Buffer.from(bytes)
        if (at < flipped.length) flipped[at] = (flipped[at] ?? 0) ^ (1 << below(random, 8))
        bytes = flipped
        break
      }
      case 4:
        if (random() < 0.3) bytes = head
        break
      case 5:
        bytes = Buffer.concat([head, word(random, words), tail])
        break
      default:
        bytes = Buffer.concat([head, word(random, words), middle, tail])
    }
  }
  return bytes
}

function word(random: Random, words: readonly (string | Buffer)[]): Buffer {
  const found = pick(random, words)
  return typeof found === 'string' ? Buffer.from(found, 'latin1') : found
}

/** The same bytes in pieces: byte by byte, in small pieces, or cut a few times. Every piece is a copy. */
export function split(bytes: Buffer, random: Random): Buffer[] {
  const pieces: Buffer[] = []
  const isLong = bytes.length > 2000
  const size = isLong
    ? bytes.length / pick(random, [2, 20, 200])
    : pick(random, [1, 3, 16, 1 + bytes.length / 3])
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + below(random, size)
    pieces.push(Buffer.from(bytes.subarray(at, at + length)))
    at += length
  }
  return pieces
}
