import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { acceptFlow, TunnelError, toTunnelError, writePacked } from '@homeport/tunnel'
import type { AllowList } from '../targets/allow-list.ts'
import { dialTarget, type Target } from '../targets/dial-target.ts'

/** What serving flows needs. */
export interface ServeOptions {
  allowList: AllowList
  dialTimeoutMs: number
  /** Told of every flow that reached no target, for the log. */
  onRefused: (refusal: { record: number; target: string; flow: string; error: TunnelError }) => void
}

/** Serves one stream that the relay opened: checks and dials the target, then carries bytes until both ends are done. */
export async function serveFlow(stream: Duplex, options: ServeOptions): Promise<void> {
  const flow = await acceptFlow(stream)
  const gone = new AbortController()
  const abort = () => gone.abort()
  stream.once('close', abort)
  try {
    const { target, tls } = flow.head
    const reached = await dialTarget(
      {
        target,
        ...(tls === undefined
          ? {}
          : { tls: { verify: tls.verify, serverName: tls.serverName ?? '' } }),
      },
      { allowList: options.allowList, timeoutMs: options.dialTimeoutMs, signal: gone.signal },
    )
    join(flow.accept(), reached)
  } catch (cause) {
    const error = toTunnelError(cause)
    if (error.code === 'flow_cancelled') return
    const { record, target, flow: id } = flow.head
    options.onRefused({ record, target, flow: id, error })
    flow.refuse(error.code, error.detail)
  } finally {
    stream.off('close', abort)
  }
}

/**
 * Two independent directions: the end of one is passed on and leaves the other open (a half-closed connection goes on
 * answering); a break of either side breaks the other, so that nobody takes a cut body for a whole one.
 */
function join(stream: Duplex, { socket, chunks }: Target): void {
  const goOn = () => void stream.resume()
  const readOn = () => void socket.resume()
  stream.on('data', (chunk: Buffer) => {
    if (!writePacked(socket, chunk, goOn)) stream.pause()
  })
  socket.on('drain', goOn)
  stream.on('end', () => socket.end())
  chunks.lead(chunk => writePacked(stream, chunk, readOn))
  stream.on('drain', readOn)
  socket.on('end', () => stream.end())
  whenBroken(stream, () => reset(socket))
  whenBroken(socket, () => stream.destroy(new TunnelError('stream_reset')))
}

function whenBroken(side: Duplex, act: () => void): void {
  side.on('error', act)
  side.on('close', () => {
    if (!side.readableEnded || !side.writableFinished) act()
  })
}

// `destroy` alone sends FIN, which a target reads as an orderly end; over TLS the missing close_notify says it.
function reset(socket: Socket): void {
  if (socket.destroyed || socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}
