import type { Duplex } from 'node:stream'
import { FRAME_LIMIT_BYTES } from '@homeport/tunnel'

/** What Node hands over of a socket at once. */
export const readBytes = 64 * 1024
/** A byte that waits packed in a stream of a link opens a slab of so much. */
const slabBytes = 8 * 1024

// A view of a chunk is kept while it is at least half of the chunk; shorter ones are copied.
const slack = 2

const isEncrypted = (stream: Duplex): boolean => 'encrypted' in stream

/** A stream that takes and gives bytes, as far as its memory goes. */
export interface HeldStream {
  /** What waits to be written to it, at what it may cost at worst. */
  queuedBytes(): number
  /** What it may have read, or is about to read, that nobody takes: it is paused. */
  pausedBytes(): number
}

/** Looks at one stream. */
export function holdStream(stream: Duplex): HeldStream {
  const isTls = isEncrypted(stream)
  // TLS keeps what waits a second time, encrypted.
  const factor = slack + Number(isTls)
  // A socket goes on until its mark is passed: that and one read, which TLS may hold encrypted, too. A link's stream hands over one chunk.
  const mark = stream.readableHighWaterMark
  const paused =
    mark < readBytes
      ? FRAME_LIMIT_BYTES * slack + slabBytes
      : mark + readBytes * (1 + Number(isTls))
  return {
    queuedBytes() {
      const waiting = stream.writableLength
      // The first of what waits may be a short view of a whole read: it was not copied, because it might have been taken at once.
      return waiting === 0 ? 0 : readBytes + waiting * factor
    },
    pausedBytes: () => (stream.isPaused() ? paused : 0),
  }
}
