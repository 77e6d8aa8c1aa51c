import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'

// A prime length: what is lost, doubled or exchanged in pieces of a power of two does not fall on the same bytes again.
const block = randomBytes(1_048_583)
const twice = Buffer.concat([block, block])

/** So many bytes of an endless pattern, in pieces of 64 KiB. */
export function patternOf(bytes: number): Readable {
  let sent = 0
  return new Readable({
    highWaterMark: 64 * 1024,
    read() {
      const size = Math.min(64 * 1024, bytes - sent)
      const at = sent % block.length
      sent += size
      this.push(size === 0 ? null : twice.subarray(at, at + size))
    },
  })
}

/** Reads to the end and counts; rejects at the first byte that is not the pattern's. */
export async function countPattern(stream: AsyncIterable<Buffer>): Promise<number> {
  let count = 0
  for await (const chunk of stream) {
    for (let start = 0; start < chunk.length; start += block.length) {
      const piece = chunk.subarray(start, start + block.length)
      const at = count % block.length
      if (!piece.equals(twice.subarray(at, at + piece.length))) {
        throw new Error(`not what was sent, near byte ${count}`)
      }
      count += piece.length
    }
  }
  return count
}
