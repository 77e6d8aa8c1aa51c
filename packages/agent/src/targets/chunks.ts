import type { OnReadOpts, Socket } from 'node:net'

/** What a target sends, chunk by chunk. */
export interface Chunks {
  /** Names who takes the bytes, and begins. `take` answers false where it can take no more; `resume()` of the socket goes on. */
  lead(take: (chunk: Buffer) => boolean): void
}

const READ_BYTES = 64 * 1024
/** Chunks up to this size are copied, larger ones are given away with the buffer they were read into. */
const COPY_LIMIT_BYTES = READ_BYTES / 2

// Node gives each read a buffer of 64 KiB of its own, for however few bytes: a tenth of what an agent spends on a small
// answer. All sockets read into this one instead; what it holds is copied before the next read.
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/**
 * Chunks of a plain socket, read without a buffer for each. `options` go to `net.connect`; what the target says before `lead` (an SSH
 * server greets first) waits, one read at most.
 */
export function createDirectChunks(): { options: OnReadOpts; of(socket: Socket): Chunks } {
  let buffer = shared
  let early: Buffer | null = null
  let take = (chunk: Buffer) => {
    early = chunk
    return false
  }
  return {
    options: {
      buffer: () => buffer,
      callback(size) {
        const isOurs = buffer !== shared && size > COPY_LIMIT_BYTES
        const chunk = isOurs ? buffer.subarray(0, size) : Buffer.from(buffer.subarray(0, size))
        // Who filled the whole buffer has more: bulk is not copied.
        buffer = size === READ_BYTES ? Buffer.allocUnsafeSlow(READ_BYTES) : shared
        return take(chunk)
      },
    },
    of: socket => ({
      lead(taker) {
        take = taker
        if (early === null || taker(early)) socket.resume()
        early = null
      },
    }),
  }
}

/** Chunks of any socket. */
export const createStreamChunks = (socket: Socket): Chunks => ({
  lead(take) {
    socket.on('data', (chunk: Buffer) => {
      if (!take(chunk)) socket.pause()
    })
  },
})
