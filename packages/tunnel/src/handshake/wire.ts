import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../clock.ts'
import { TunnelError, type TunnelErrorCode } from '../errors.ts'
import { MESSAGE_LIMIT_BYTES } from './messages.ts'

const PREFIX_BYTES = 4

/** The raw socket before yamux: reads whole pieces with one deadline for all steps, holds bounded bytes. */
export interface HandshakeWire {
  /** The next length-prefixed message (u32 big endian, at most 16 KiB). */
  readMessage(): Promise<Buffer>
  /** Bytes up to and with the first `end`, which must come within `limitBytes`. */
  readUntil(end: string, limitBytes: number): Promise<Buffer>
  writeMessage(message: Buffer): void
  /** Waits for something else under the same deadline. */
  guard<Value>(work: Promise<Value>): Promise<Value>
  /** Ends the handshake: removes every listener and gives back what was read too far. */
  release(): Buffer
}

/** What bounds a handshake. */
export interface HandshakeWireOptions {
  readonly timeoutMs: number
  readonly head?: Buffer | undefined
  readonly clock?: Clock | undefined
  readonly signal?: AbortSignal | undefined
}

/** Takes over a socket for its handshake. After a failure every read rejects with the same error. */
export function createHandshakeWire(socket: Duplex, options: HandshakeWireOptions): HandshakeWire {
  const { timeoutMs, clock = systemClock, signal } = options
  let held = options.head ?? Buffer.alloc(0)
  let failure: TunnelError | null = null
  const broken = Promise.withResolvers<never>()
  // Nobody may be waiting when it breaks; whoever waits next sees `failure`.
  broken.promise.catch(() => {})
  let waiting: { cut: () => Buffer | null; settle: PromiseWithResolvers<Buffer> } | null = null

  const advance = () => {
    if (waiting === null) return
    const { cut, settle } = waiting
    try {
      if (failure !== null) throw failure
      const piece = cut()
      if (piece === null) return
      waiting = null
      socket.pause()
      settle.resolve(piece)
    } catch (cause) {
      waiting = null
      settle.reject(cause)
    }
  }
  const fail = (code: TunnelErrorCode, detail: string, cause?: unknown) => {
    failure ??= new TunnelError(code, { detail, cause })
    broken.reject(failure)
    advance()
  }
  const onData = (chunk: Buffer) => {
    // The socket is read only while something is missing, so this holds one piece and one chunk at most.
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    advance()
    if (waiting === null) socket.pause()
  }
  const onEnd = () => fail('link_lost', 'ended during the handshake')
  const onError = (cause: Error) => fail('link_lost', cause.message, cause)
  const onAbort = () => fail('link_lost', 'cancelled', signal?.reason)
  const timer = clock.setTimeout(() => fail('handshake_timeout', `${timeoutMs} ms`), timeoutMs)

  socket.pause()
  socket.on('data', onData)
  socket.on('end', onEnd)
  socket.on('close', onEnd)
  socket.on('error', onError)
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted) onAbort()
  if (socket.destroyed) onEnd()

  const read = (cut: () => Buffer | null): Promise<Buffer> => {
    const settle = Promise.withResolvers<Buffer>()
    waiting = { cut, settle }
    advance()
    if (waiting !== null) socket.resume()
    return settle.promise
  }
  const take = (bytes: number): Buffer => {
    const piece = held.subarray(0, bytes)
    held = held.subarray(bytes)
    return piece
  }

  return {
    readMessage: () =>
      read(() => {
        if (held.length < PREFIX_BYTES) return null
        const length = held.readUInt32BE(0)
        if (length > MESSAGE_LIMIT_BYTES) {
          throw new TunnelError('handshake_invalid', { detail: `message of ${length} bytes` })
        }
        if (held.length < PREFIX_BYTES + length) return null
        return take(PREFIX_BYTES + length).subarray(PREFIX_BYTES)
      }),
    readUntil: (end, limitBytes) =>
      read(() => {
        const at = held.subarray(0, limitBytes).indexOf(end)
        if (at >= 0) return take(at + end.length)
        if (held.length < limitBytes) return null
        throw new TunnelError('handshake_invalid', { detail: `no end within ${limitBytes} bytes` })
      }),
    writeMessage: message => {
      const prefix = Buffer.alloc(PREFIX_BYTES)
      prefix.writeUInt32BE(message.length)
      socket.write(Buffer.concat([prefix, message]))
    },
    guard: work => Promise.race([work, broken.promise]),
    release: () => {
      clock.clearTimeout(timer)
      socket.off('data', onData)
      socket.off('end', onEnd)
      socket.off('close', onEnd)
      socket.off('error', onError)
      signal?.removeEventListener('abort', onAbort)
      return held
    },
  }
}
