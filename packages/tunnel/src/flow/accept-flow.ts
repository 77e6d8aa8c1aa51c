import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.ts'
import { TUNNEL_ERRORS, TunnelError, type TunnelErrorCode, toTunnelError } from '../errors.ts'
import {
  encodeStatus,
  type FlowHead,
  HEAD_LIMIT_BYTES,
  HEAD_PREFIX_BYTES,
  parseFlowHead,
} from './head.ts'
import { readPrefix } from './read-prefix.ts'

/** A flow the relay asks for; answer it with `accept` or `refuse`, once. */
export interface IncomingFlow {
  readonly head: FlowHead
  /** The stream itself, to notice that the relay gave up ('close') while the target is dialled. */
  readonly stream: Duplex
  /** Tells the relay that the target is reached; from here on the stream carries bytes. */
  accept(): Duplex
  /** Tells the relay why not, and ends the stream. */
  refuse(code: TunnelErrorCode, detail?: string): void
}

/** How long the relay may take to send a whole head. */
const HEAD_TIMEOUT_MS = 10_000

/**
 * The agent's side of a flow: reads the head of a stream that the relay opened. A malformed head is answered with
 * `head_invalid`; then, or when the stream breaks or stays silent, the promise rejects with a `TunnelError`.
 */
export async function acceptFlow(
  stream: Duplex,
  options: { readonly timeoutMs?: number; readonly clock?: Clock } = {},
): Promise<IncomingFlow> {
  const refuse = (code: TunnelErrorCode, detail = '') => {
    const number = TUNNEL_ERRORS.find(entry => entry.code === code)?.number ?? 1
    stream.end(encodeStatus(number, detail))
    // What the relay sent early is of no use now; reading it lets the stream come to its end.
    stream.resume()
  }
  try {
    const bytes = await readPrefix(stream, {
      measure: measureHead,
      timeoutMs: options.timeoutMs ?? HEAD_TIMEOUT_MS,
      timeoutCode: 'flow_timeout',
      clock: options.clock,
    })
    const head = parseFlowHead(bytes.subarray(HEAD_PREFIX_BYTES))
    const accept = () => {
      stream.write(encodeStatus(0, ''))
      return stream
    }
    return { head, stream, accept, refuse }
  } catch (cause) {
    const error = toTunnelError(cause)
    if (error.code === 'head_invalid') refuse(error.code, error.detail)
    else stream.destroy()
    throw error
  }
}

function measureHead(bytes: Buffer): number {
  if (bytes.length < HEAD_PREFIX_BYTES) return HEAD_PREFIX_BYTES
  const length = bytes.readUInt16BE(0)
  if (length > HEAD_LIMIT_BYTES) {
    throw new TunnelError('head_invalid', { detail: `head of ${length} bytes` })
  }
  return HEAD_PREFIX_BYTES + length
}
