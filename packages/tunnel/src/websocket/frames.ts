import { TunnelError } from '../errors.ts'

/** RFC 6455 section 5.2; text frames (1) are not taken. */
export const OP_CONTINUATION = 0
export const OP_BINARY = 2
export const OP_CLOSE = 8
export const OP_PING = 9
export const OP_PONG = 10

/** A frame's payload is handed on as it comes, so this bounds no memory; it finds a peer that lost its place. */
const FRAME_LIMIT_BYTES = 1024 * 1024
/** RFC 6455 section 5.5. */
const CONTROL_LIMIT_BYTES = 125

/** What a reader hands on. */
export interface WebsocketSink {
  /** Bytes of the link; a slice of what was pushed, unmasked in place. */
  onData(part: Buffer): void
  onControl(opcode: number, payload: Buffer): void
}

/** Writes a frame's header. A client's frames are masked with zeros: the bytes are random already (TLS, or a test). */
export function encodeFrameHeader(opcode: number, length: number, isMasked: boolean): Buffer {
  const mask = isMasked ? 0x80 : 0
  const first = 0x80 | opcode
  const key = isMasked ? [0, 0, 0, 0] : []
  if (length < 126) return Buffer.from([first, mask | length, ...key])
  if (length < 65536) return Buffer.from([first, mask | 126, length >> 8, length & 255, ...key])
  const header = Buffer.alloc(10 + key.length)
  header[0] = first
  header[1] = mask | 127
  header.writeUInt32BE(length, 6)
  return header
}

/** Reads one side's frames. `push` throws `protocol_error` for whatever RFC 6455 forbids, or this link does not use. */
export function createFrameReader(isPeerMasked: boolean, sink: WebsocketSink) {
  let header: Buffer = Buffer.alloc(0)
  let opcode = OP_BINARY
  let key = 0
  let keyAt = 0
  let left = 0
  let control: Buffer[] = []
  /** A binary message of several frames is under way. */
  let isFragmented = false
  let isInPayload = false

  function readHeader(): boolean {
    if (header.length < 2) return false
    const [first, second] = [header.readUInt8(0), header.readUInt8(1)]
    const code = first & 15
    const isFinal = (first & 0x80) !== 0
    const short = second & 127
    if ((first & 0x70) !== 0) throw broken('reserved bits')
    if (((second & 0x80) !== 0) !== isPeerMasked) throw broken('masking')
    if (code >= 8 && (!isFinal || short > CONTROL_LIMIT_BYTES)) throw broken('control frame')
    if (code === OP_BINARY ? isFragmented : code === OP_CONTINUATION && !isFragmented) {
      throw broken('fragments')
    }
    if (code !== OP_BINARY && code !== OP_CONTINUATION && (code < OP_CLOSE || code > OP_PONG)) {
      throw broken(`frame type ${code}`)
    }
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    const size = 2 + lengthBytes + (isPeerMasked ? 4 : 0)
    if (header.length < size) return false
    left =
      lengthBytes === 0
        ? short
        : header.readUIntBE(lengthBytes === 8 ? 4 : 2, lengthBytes === 8 ? 6 : 2)
    if (lengthBytes === 8 && header.readUInt16BE(2) !== 0) throw broken('frame length')
    if (left < (lengthBytes === 8 ? 65536 : lengthBytes === 2 ? 126 : 0))
      throw broken('long length')
    if (left > FRAME_LIMIT_BYTES) throw broken('frame length')
    key = isPeerMasked ? header.readUInt32BE(size - 4) : 0
    keyAt = 0
    opcode = code
    if (code < 8) isFragmented = !isFinal
    header = header.subarray(size)
    isInPayload = true
    return true
  }

  function take(part: Buffer, isLast: boolean): void {
    if (key !== 0) unmask(part)
    if (opcode < 8) {
      if (part.length > 0) sink.onData(part)
      return
    }
    control.push(part)
    if (!isLast) return
    const payload = Buffer.concat(control)
    control = []
    sink.onControl(opcode, payload)
  }

  function unmask(part: Buffer): void {
    for (let at = 0; at < part.length; at += 1) {
      part[at] = (part[at] as number) ^ ((key >>> (24 - 8 * (keyAt & 3))) & 255)
      keyAt += 1
    }
  }

  return {
    push(chunk: Buffer): void {
      header = header.length === 0 ? chunk : Buffer.concat([header, chunk])
      while (isInPayload || readHeader()) {
        if (left > 0 && header.length === 0) return
        const part = header.subarray(0, left)
        left -= part.length
        header = header.subarray(part.length)
        isInPayload = left > 0
        take(part, !isInPayload)
      }
    },
  }
}

function broken(detail: string): TunnelError {
  return new TunnelError('protocol_error', { detail: `websocket: ${detail}` })
}
