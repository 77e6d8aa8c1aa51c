import { createChunkScan } from './chunks.ts'
import type { BodyScan, Framing } from './framing.ts'
import type { DoorLimits } from './limits.ts'

const empty: BodyScan = { take: () => 0, isDone: () => true }
const endless: BodyScan = { take: chunk => chunk.length, isDone: () => false }

/** Makes the scan that a framing asks for. */
export function createBodyScan(framing: Framing, limits: DoorLimits): BodyScan {
  switch (framing.kind) {
    case 'none':
      return empty
    case 'close':
      return endless
    case 'chunked':
      return createChunkScan(limits)
    case 'length':
      return countDown(framing.bytes)
  }
}

function countDown(bytes: number): BodyScan {
  let left = bytes
  return {
    take(chunk) {
      const taken = Math.min(left, chunk.length)
      left -= taken
      return taken
    },
    isDone: () => left === 0,
  }
}
