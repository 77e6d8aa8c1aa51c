import { TunnelError, type TunnelErrorCode } from '@homeport/tunnel'
import type { PageCode } from './kinds.ts'

/** The page that a visitor sees for each error of the tunnel; the type makes the table total. */
export const pageOfTunnelError: Readonly<Record<TunnelErrorCode, PageCode>> = {
  internal: 'internal',
  target_refused: 'target_failed',
  target_unreachable: 'target_failed',
  target_timeout: 'target_silent',
  target_not_allowed: 'target_forbidden',
  target_tls_failed: 'target_failed',
  target_dns_failed: 'target_failed',
  target_invalid: 'target_failed',
  head_invalid: 'internal',
  // An agent gives its target 8 s and says so; a relay waits 10 s: it is the agent that said nothing.
  flow_timeout: 'device_silent',
  flow_cancelled: 'unavailable',
  stream_reset: 'target_failed',
  stream_limit: 'busy',
  memory_limit: 'busy',
  device_offline: 'device_offline',
  link_lost: 'device_offline',
  link_silent: 'device_offline',
  session_replaced: 'device_offline',
  protocol_error: 'device_offline',
  flood: 'device_offline',
  agent_draining: 'device_offline',
  relay_draining: 'unavailable',
  link_refused: 'device_offline',
  link_unreachable: 'device_offline',
  link_tls_failed: 'device_offline',
  handshake_timeout: 'device_offline',
  handshake_invalid: 'device_offline',
  version_unsupported: 'device_offline',
  device_unknown: 'device_offline',
  proof_invalid: 'device_offline',
  device_revoked: 'device_offline',
  relay_busy: 'busy',
}

/** The page for whatever opening an upstream stream threw; what is no tunnel error is a target that failed. */
export const pageOfOpenFailure = (error: unknown): PageCode =>
  error instanceof TunnelError ? pageOfTunnelError[error.code] : 'target_failed'
