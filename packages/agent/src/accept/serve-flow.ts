import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import {
  acceptFlow,
  type IncomingFlow,
  TunnelError,
  toTunnelError,
  writePacked,
  type YamuxStream,
} from '@homeport/tunnel'
import type { AllowList } from '../targets/allow-list.ts'
import { dialTarget, type Target } from '../targets/dial-target.ts'

/** Open flows by id, each as the stream that it goes over now. */
export type OpenFlows = Map<string, YamuxStream>

/** What serving flows needs. */
export interface ServeOptions {
  /** The open flows of all links to this relay, by their ids. */
  flows: OpenFlows
  allowList: AllowList
  dialTimeoutMs: number
  /** Told of every flow that reached no target, for the log. */
  onRefused: (refusal: { record: number; target: string; flow: string; error: TunnelError }) => void
}

/** Serves one stream that the relay opened: checks and dials the target, then carries bytes until both ends are done. */
export async function serveFlow(stream: YamuxStream, options: ServeOptions): Promise<void> {
  const flow = await acceptFlow(stream)
  if (flow.head.isMove) return moveHere(flow, stream, options.flows)
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
    // Who left in the very turn in which the target answered is told of by nobody any more.
    if (stream.destroyed) {
      reset(reached.socket)
      return
    }
    join(flow.accept(), reached)
    keep(options.flows, flow.head.flow, stream)
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

/** The relay moves a flow to another link: what was carried by its old stream goes on over this one. */
function moveHere(flow: IncomingFlow, stream: YamuxStream, flows: OpenFlows): void {
  const held = flows.get(flow.head.flow)
  // It has come to its end while the relay asked.
  if (held === undefined || held.destroyed) {
    flow.refuse('flow_cancelled')
    return
  }
  flow.accept()
  held.continueOn(stream)
  keep(flows, flow.head.flow, stream)
}

function keep(flows: OpenFlows, id: string, stream: YamuxStream): void {
  flows.set(id, stream)
  stream.once('close', () => {
    if (flows.get(id) === stream) flows.delete(id)
  })
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
