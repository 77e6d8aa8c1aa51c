/** When the same thing may be tried again: at once, after a back-off, or only after a person changed something. */
export type Retry = 'now' | 'later' | 'never'

/** One row of the registry: `number` travels on the wire, `code` is what programs branch on. */
export interface TunnelErrorEntry {
  readonly number: number
  readonly code: string
  readonly retry: Retry
  readonly title: string
}

// Append-only: a number is never used again for another meaning, because relays and agents of different
// ages meet. 1-99 a flow and its target, 100-199 the link, 200-299 the handshake.
/** Every tunnel error there is; docs/protocol.md lists the same rows and a test holds the two equal. */
export const TUNNEL_ERRORS = [
  { number: 1, code: 'internal', retry: 'later', title: 'a fault inside relay or agent' },
  { number: 2, code: 'target_refused', retry: 'later', title: 'the target refused the connection' },
  { number: 3, code: 'target_unreachable', retry: 'later', title: 'no way leads to the target' },
  { number: 4, code: 'target_timeout', retry: 'later', title: 'the target did not answer in time' },
  { number: 5, code: 'target_not_allowed', retry: 'never', title: 'the agent does not allow it' },
  { number: 6, code: 'target_tls_failed', retry: 'never', title: 'TLS to the target failed' },
  { number: 7, code: 'target_dns_failed', retry: 'later', title: 'the target name has no address' },
  { number: 8, code: 'target_invalid', retry: 'never', title: 'the target cannot be dialled' },
  { number: 9, code: 'head_invalid', retry: 'never', title: 'the stream head is malformed' },
  { number: 10, code: 'flow_timeout', retry: 'later', title: 'no status came back in time' },
  { number: 11, code: 'flow_cancelled', retry: 'now', title: 'whoever asked for the flow left' },
  { number: 12, code: 'stream_reset', retry: 'later', title: 'the peer reset the stream' },
  { number: 13, code: 'stream_limit', retry: 'later', title: 'the link carries no more streams' },
  { number: 14, code: 'memory_limit', retry: 'later', title: 'too many bytes wait unread' },
  { number: 100, code: 'device_offline', retry: 'later', title: 'the device has no link' },
  { number: 101, code: 'link_lost', retry: 'now', title: 'the connection broke or was closed' },
  { number: 102, code: 'link_silent', retry: 'now', title: 'nothing was heard for too long' },
  { number: 103, code: 'protocol_error', retry: 'later', title: 'the peer broke the protocol' },
  { number: 104, code: 'flood', retry: 'later', title: 'the peer sent too many empty frames' },
  { number: 105, code: 'agent_draining', retry: 'later', title: 'the agent is shutting down' },
  { number: 106, code: 'relay_draining', retry: 'now', title: 'the relay is shutting down' },
  { number: 107, code: 'link_refused', retry: 'later', title: 'the server did not offer a link' },
  { number: 108, code: 'link_unreachable', retry: 'later', title: 'the server cannot be reached' },
  { number: 109, code: 'link_tls_failed', retry: 'later', title: 'TLS to the server failed' },
  {
    number: 200,
    code: 'handshake_timeout',
    retry: 'later',
    title: 'a handshake step took too long',
  },
  {
    number: 201,
    code: 'handshake_invalid',
    retry: 'later',
    title: 'a handshake message is malformed',
  },
  {
    number: 202,
    code: 'version_unsupported',
    retry: 'never',
    title: 'no protocol version in common',
  },
  { number: 203, code: 'device_unknown', retry: 'never', title: 'no such device is paired' },
  { number: 204, code: 'proof_invalid', retry: 'never', title: 'the key was not proved' },
  { number: 205, code: 'device_revoked', retry: 'never', title: 'the device was unbound' },
  { number: 206, code: 'relay_busy', retry: 'later', title: 'the relay takes no more links' },
  {
    number: 207,
    code: 'session_replaced',
    retry: 'later',
    title: 'another agent with this identity took the place',
  },
] as const satisfies readonly TunnelErrorEntry[]

/** A stable name from the registry. */
export type TunnelErrorCode = (typeof TUNNEL_ERRORS)[number]['code']

const byCode = new Map<string, TunnelErrorEntry>(TUNNEL_ERRORS.map(entry => [entry.code, entry]))
const byNumber = new Map<number, (typeof TUNNEL_ERRORS)[number]>(
  TUNNEL_ERRORS.map(entry => [entry.number, entry]),
)

/** Is this text a code of the registry? Decides what is believed of a peer's message. */
export function isTunnelErrorCode(code: string): code is TunnelErrorCode {
  return byCode.has(code)
}

/** What a `TunnelError` may carry beside its code; `retry` overrides the registry's hint. */
export interface TunnelErrorOptions {
  readonly detail?: string | undefined
  readonly cause?: unknown
  readonly retry?: Retry | undefined
  readonly retryAfterMs?: number | undefined
  readonly httpStatus?: number | undefined
}

/** The one error of this package: a row of the registry with a detail for logs (never for visitors). */
export class TunnelError extends Error {
  readonly code: TunnelErrorCode
  readonly number: number
  readonly retry: Retry
  readonly detail: string
  /** Set where the peer asked for a pause, in milliseconds. */
  readonly retryAfterMs: number | undefined
  /** Set where something answered with HTTP that was asked for a link: 100-599. */
  readonly httpStatus: number | undefined

  constructor(code: TunnelErrorCode, options: TunnelErrorOptions = {}) {
    const entry = byCode.get(code) as TunnelErrorEntry
    const detail = options.detail ?? ''
    super(detail === '' ? entry.title : `${entry.title}: ${detail}`, { cause: options.cause })
    this.name = 'TunnelError'
    this.code = code
    this.number = entry.number
    this.retry = options.retry ?? entry.retry
    this.detail = detail
    this.retryAfterMs = options.retryAfterMs
    this.httpStatus = options.httpStatus
  }
}

/** The error a peer named by number; a number younger than this registry becomes `internal`. */
export function tunnelErrorFromNumber(number: number, detail: string): TunnelError {
  const entry = byNumber.get(number)
  if (entry === undefined) {
    return new TunnelError('internal', { detail: `error ${number} of a newer peer: ${detail}` })
  }
  return new TunnelError(entry.code, { detail })
}

/** Makes any thrown value a `TunnelError`, keeping it as the cause. */
export function toTunnelError(cause: unknown, code: TunnelErrorCode = 'internal'): TunnelError {
  if (cause instanceof TunnelError) return cause
  const detail = cause instanceof Error ? cause.message : String(cause)
  return new TunnelError(code, { detail, cause })
}
