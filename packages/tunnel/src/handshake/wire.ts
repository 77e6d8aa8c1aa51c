import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../clock.ts'
import { TunnelError, toTunnelError } from '../errors.ts'
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
  /** Names what an error of the socket means. */
  readonly explain?: ((cause: Error) => TunnelError) | undefined
}

/** Takes over a socket for its handshake. After a failure every read rejects with the same error. */
export function createHandshakeWire(socket: Duplex, options: HandshakeWireOptions): HandshakeWire {
  const { timeoutMs, clock = systemClock, signal, explain = explainLoss } = options
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
      // What arrived before the failure still counts: a refusal is often followed by the end.
      const piece = cut()
      if (piece === null && failure === null) return
      if (piece === null) throw failure
      waiting = null
      socket.pause()
      settle.resolve(piece)
    } catch (cause) {
      waiting = null
      settle.reject(cause)
    }
  }
  const fail = (error: TunnelError) => {
    failure ??= error
    broken.reject(failure)
    advance()
  }
  const onData = (chunk: Buffer) => {
    // The socket is read only while something is missing, so this holds one piece and one chunk at most.
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    advance()
    if (waiting === null) socket.pause()
  }
  const onEnd = () => fail(new TunnelError('link_lost', { detail: 'ended in the handshake' }))
  const onError = (cause: Error) => fail(explain(cause))
  const onAbort = () =>
    fail(new TunnelError('link_lost', { detail: 'cancelled', cause: signal?.reason }))
  const onTimeout = () =>
    fail(new TunnelError('handshake_timeout', { detail: `${Math.round(timeoutMs)} ms` }))
  const timer = clock.setTimeout(onTimeout, timeoutMs)

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

function explainLoss(cause: Error): TunnelError {
  return toTunnelError(cause, 'link_lost')
}
