import type { Duplex } from 'node:stream'
import { HEADER_BYTES, YAMUX_VERSION } from './constants.ts'

// Headers and short payloads are copied side by side, so that a batch of small frames is one write: a piece more in a writev costs more
// than a copy of 4 KiB. All outboxes of the process fill one slab, so an idle link holds none. What was filled is never written
// again: a Duplex that is not a socket may hand our bytes on as they are.
const SLAB_BYTES = 64 * 1024
const INLINE_LIMIT_BYTES = 4 * 1024

let slab = Buffer.alloc(0)
let slabEnd = 0

/** Collects frames and writes them to a socket in as few pieces as it can (writev). */
export class Outbox {
  /** Where the bytes begin and end that were copied and are no part yet; they lie in this slab. */
  #slab = slab
  #start = 0
  #end = 0
  #parts: Buffer[] = []
  /** Bytes collected since the last `writeTo`. */
  bytes = 0

  addHeader(type: number, flags: number, streamId: number, length: number): void {
    const at = this.#reserve(HEADER_BYTES)
    slab[at] = YAMUX_VERSION
    slab[at + 1] = type
    slab.writeUInt16BE(flags, at + 2)
    slab.writeUInt32BE(streamId, at + 4)
    slab.writeUInt32BE(length, at + 8)
  }

  addPayload(payload: Uint8Array): void {
    if (payload.length <= INLINE_LIMIT_BYTES) {
      // First the place, then the slab: making room may begin a new one.
      const at = this.#reserve(payload.length)
      slab.set(payload, at)
      return
    }
    this.#seal()
    this.#parts.push(payload as Buffer)
    this.bytes += payload.length
  }

  /** Writes all that was collected; `done` is called when the socket has taken the last byte, or failed. */
  writeTo(socket: Duplex, done: (error?: Error | null) => void): void {
    this.#seal()
    const parts = this.#parts
    const last = parts.length - 1
    this.#parts = []
    this.bytes = 0
    if (last > 0) socket.cork()
    for (let i = 0; i < last; i += 1) socket.write(parts[i] as Buffer)
    socket.write(parts[last] as Buffer, done)
    if (last > 0) socket.uncork()
  }

  #reserve(size: number): number {
    if (slab.length - slabEnd < size) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      slabEnd = 0
    }
    // Another outbox may have been here since.
    if (this.#slab !== slab || this.#end !== slabEnd) {
      this.#seal()
      this.#slab = slab
      this.#start = slabEnd
    }
    const at = slabEnd
    slabEnd += size
    this.#end = slabEnd
    this.bytes += size
    return at
  }

  #seal(): void {
    if (this.#end > this.#start) this.#parts.push(this.#slab.subarray(this.#start, this.#end))
    this.#start = this.#end
  }
}
