import type { Clock } from '../clock.ts'
import { TunnelError, toTunnelError, tunnelErrorFromNumber } from '../errors.ts'
import type { Muxer } from '../yamux/muxer.ts'
import type { YamuxStream } from '../yamux/stream.ts'
import { DETAIL_LIMIT_BYTES, encodeFlowHead, type FlowHead, STATUS_BYTES } from './head.ts'
import { readPrefix } from './read-prefix.ts'

/** How a flow is opened. */
export interface OpenFlowOptions {
  /** How long the agent may take to reach the target. */
  readonly timeoutMs: number
  /** Bytes for the target that leave together with the head, without waiting for the agent's answer. */
  readonly early?: Uint8Array | undefined
  readonly signal?: AbortSignal | undefined
  readonly clock?: Clock | undefined
}

/**
 * The relay's side of a flow: opens a stream, sends its head and resolves once the agent has reached the target.
 * Rejects with the agent's `TunnelError`, or `flow_timeout`, `flow_cancelled`, `stream_limit`, `link_lost`, …
 */
export async function openFlow(
  muxer: Muxer,
  head: FlowHead,
  options: OpenFlowOptions,
): Promise<YamuxStream> {
  const bytes = encodeFlowHead(head)
  const stream = muxer.openStream()
  try {
    // Corked, so that both leave in one frame.
    stream.cork()
    stream.write(bytes)
    if (options.early !== undefined && options.early.length > 0) stream.write(options.early)
    stream.uncork()
    const status = await readPrefix(stream, {
      measure: measureStatus,
      timeoutMs: options.timeoutMs,
      timeoutCode: 'flow_timeout',
      signal: options.signal,
      clock: options.clock,
    })
    const number = status.readUInt16BE(0)
    if (number === 0) return stream
    throw tunnelErrorFromNumber(number, status.toString('utf8', STATUS_BYTES))
  } catch (cause) {
    stream.destroy()
    throw toTunnelError(cause)
  }
}

function measureStatus(bytes: Buffer): number {
  if (bytes.length < STATUS_BYTES) return STATUS_BYTES
  const length = bytes.readUInt16BE(2)
  if (length > DETAIL_LIMIT_BYTES) {
    throw new TunnelError('protocol_error', { detail: `status detail of ${length} bytes` })
  }
  return STATUS_BYTES + length
}
