import { TunnelError } from '../errors.ts'
import {
  FLAGS_ALL,
  FRAME_LIMIT_BYTES,
  HEADER_BYTES,
  TYPE_DATA,
  TYPE_GO_AWAY,
  TYPE_WINDOW_UPDATE,
  YAMUX_VERSION,
} from './constants.ts'

/** Whoever takes what the decoder finds; a throw ends the decoding of this link. */
export interface FrameSink {
  /** A whole header. For data, `length` payload bytes follow through `onPayload`. */
  onFrame(type: number, flags: number, streamId: number, length: number): void
  /** A part of the last header's payload: a view of the chunk that was pushed, not a copy. */
  onPayload(part: Buffer, isLast: boolean): void
}

/** Cuts a byte stream into frames however it was chunked; holds at most 11 bytes between two chunks. */
export class Decoder {
  readonly #sink: FrameSink
  readonly #partial = Buffer.alloc(HEADER_BYTES)
  #partialBytes = 0
  #payloadBytes = 0

  constructor(sink: FrameSink) {
    this.#sink = sink
  }

  /** Takes the next bytes. Throws `protocol_error` at the first header that breaks the framing. */
  push(chunk: Buffer): void {
    let at = 0
    while (at < chunk.length) {
      if (this.#payloadBytes > 0) {
        const part = chunk.subarray(at, at + this.#payloadBytes)
        at += part.length
        this.#payloadBytes -= part.length
        this.#sink.onPayload(part, this.#payloadBytes === 0)
      } else if (this.#partialBytes === 0 && chunk.length - at >= HEADER_BYTES) {
        this.#readHeader(chunk, at)
        at += HEADER_BYTES
      } else {
        const copied = chunk.copy(this.#partial, this.#partialBytes, at)
        at += copied
        this.#partialBytes += copied
        if (this.#partialBytes === HEADER_BYTES) {
          this.#partialBytes = 0
          this.#readHeader(this.#partial, 0)
        }
      }
    }
  }

  #readHeader(bytes: Buffer, at: number): void {
    const version = bytes[at] as number
    const type = bytes[at + 1] as number
    const flags = bytes.readUInt16BE(at + 2)
    const streamId = bytes.readUInt32BE(at + 4)
    const length = bytes.readUInt32BE(at + 8)
    if (version !== YAMUX_VERSION) throw broken(`framing version ${version}`)
    if (type > TYPE_GO_AWAY) throw broken(`frame type ${type}`)
    if (flags > FLAGS_ALL) throw broken(`flags ${flags}`)
    // "Both Ping and Go Away messages should always use the 0 StreamID"; the others never do.
    if ((streamId === 0) !== type > TYPE_WINDOW_UPDATE) {
      throw broken(`type ${type} on stream ${streamId}`)
    }
    if (type === TYPE_DATA) {
      if (length > FRAME_LIMIT_BYTES) throw broken(`data frame of ${length} bytes`)
      this.#payloadBytes = length
    }
    this.#sink.onFrame(type, flags, streamId, length)
  }
}

function broken(detail: string): TunnelError {
  return new TunnelError('protocol_error', { detail })
}
