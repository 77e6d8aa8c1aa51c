import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../clock.ts'
import { TunnelError, type TunnelErrorCode, toTunnelError } from '../errors.ts'

/** How a wait for the first bytes of a stream ends. */
export interface PrefixOptions {
  /** How many bytes are needed, told by those that are there; asked again after each chunk. May throw. */
  readonly measure: (bytes: Buffer) => number
  readonly timeoutMs: number
  readonly timeoutCode: TunnelErrorCode
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
}

/** Reads the first bytes of a stream and leaves all that follows in it. Rejects with a `TunnelError`. */
export function readPrefix(stream: Duplex, options: PrefixOptions): Promise<Buffer> {
  const { measure, timeoutMs, timeoutCode, signal, clock = systemClock } = options
  return new Promise((resolve, reject) => {
    let held: Buffer | null = null
    const settle = (error: TunnelError | null, bytes?: Buffer) => {
      clock.clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
      stream.off('readable', onReadable)
      stream.off('end', onEnd)
      stream.off('close', onEnd)
      if (bytes === undefined) reject(error)
      else resolve(bytes)
    }
    const onReadable = () => {
      try {
        for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) {
          held = held === null ? (chunk as Buffer) : Buffer.concat([held, chunk as Buffer])
          const needed = measure(held)
          if (held.length < needed) continue
          if (held.length > needed) stream.unshift(held.subarray(needed))
          return settle(null, held.subarray(0, needed))
        }
      } catch (cause) {
        settle(toTunnelError(cause))
      }
    }
    const onEnd = () => settle(toTunnelError(stream.errored ?? new TunnelError('stream_reset')))
    const onAbort = () => settle(new TunnelError('flow_cancelled', { cause: signal?.reason }))
    const timer = clock.setTimeout(() => settle(new TunnelError(timeoutCode)), timeoutMs)
    if (signal?.aborted) return onAbort()
    if (stream.destroyed) return onEnd()
    signal?.addEventListener('abort', onAbort)
    stream.on('readable', onReadable)
    stream.on('end', onEnd)
    stream.on('close', onEnd)
  })
}
