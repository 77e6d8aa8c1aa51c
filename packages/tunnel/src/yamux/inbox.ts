// A byte that waits must not hold much more memory than itself: a peer that sends one byte to a stalled stream
// in each 64 KiB read would else pin 64 KiB for it, and one-byte frames would cost a Buffer object each.
const SMALL_BYTES = 4 * 1024
const SLAB_BYTES = 8 * 1024

/** Received bytes that no reader has asked for yet, in order; the window bounds them. */
export class Inbox {
  readonly #chunks: Buffer[] = []
  #open: Buffer | null = null
  #openBytes = 0
  /** Bytes waiting. */
  bytes = 0

  add(part: Buffer): void {
    this.bytes += part.length
    if (part.length > SMALL_BYTES) {
      this.#close()
      this.#chunks.push(retain(part))
      return
    }
    if (this.#open !== null && this.#openBytes + part.length > SLAB_BYTES) this.#close()
    this.#open ??= Buffer.allocUnsafeSlow(SLAB_BYTES)
    this.#open.set(part, this.#openBytes)
    this.#openBytes += part.length
  }

  /** The next bytes, or null. */
  take(): Buffer | null {
    if (this.#chunks.length === 0) this.#close()
    const chunk = this.#chunks.shift() ?? null
    if (chunk !== null) this.bytes -= chunk.length
    return chunk
  }

  /** Forgets everything and tells how many bytes that were. */
  clear(): number {
    const bytes = this.bytes
    this.#chunks.length = 0
    this.#open = null
    this.#openBytes = 0
    this.bytes = 0
    return bytes
  }

  #close(): void {
    if (this.#open === null) return
    this.#chunks.push(retain(this.#open.subarray(0, this.#openBytes)))
    this.#open = null
    this.#openBytes = 0
  }
}

/** The bytes themselves, or a copy where the view would hold more than twice its size alive. */
export function retain(part: Buffer): Buffer {
  if (part.length * 2 >= part.buffer.byteLength) return part
  // Not from Node's pool: a slice of it would keep 64 KiB alive that others have long let go.
  const copy = Buffer.allocUnsafeSlow(part.length)
  part.copy(copy)
  return copy
}
