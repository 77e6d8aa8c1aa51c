import type { Socket } from 'node:net'
import type { Clock } from '@homeport/runtime'
import { type ProxiedSource, parseProxyHeader } from './proxy-header.ts'

/** How a header is waited for. One of the two is called at most, and none where the connection breaks before. */
export interface HeaderReading {
  /** For the whole header, however its bytes drip. */
  readonly timeoutMs: number
  readonly clock: Clock
  /** The header is whole and gone from the socket, which is paused. */
  onSource(source: ProxiedSource | null): void
  /** Null where the proxy left without a word, as health checks do that only look for a listener. */
  onBroken(reason: string | null): void
}

const nothing = Buffer.alloc(0)

/** Takes the PROXY header off the start of a connection; what came behind it stays in the socket. */
export function readProxyHeader(socket: Socket, reading: HeaderReading): void {
  let held: Buffer = nothing

  const stop = () => {
    timer.cancel()
    socket.pause()
    socket.off('data', onData).off('end', onEnd).off('close', stop)
  }
  const fail = (reason: string | null) => {
    stop()
    reading.onBroken(reason)
  }
  const onData = (chunk: Buffer) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    const header = parseProxyHeader(held)
    if (header.kind === 'incomplete') return
    if (header.kind === 'broken') return fail(header.reason)
    stop()
    if (held.length > header.bytes) socket.unshift(held.subarray(header.bytes))
    reading.onSource(header.source)
  }
  const onEnd = () => fail(held.length === 0 ? null : 'ended within its PROXY header')
  const timer = reading.clock.setTimeout(() => fail('PROXY header too slow'), reading.timeoutMs)

  socket.on('data', onData).on('end', onEnd).on('close', stop)
  socket.resume()
}
