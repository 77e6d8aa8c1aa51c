export { type Clock, systemClock } from './clock.ts'
export { acceptControl, type ControlChannel, openControl } from './control/channel.ts'
export { type AgentMessage, LINK_LIMIT, type RelayMessage } from './control/messages.ts'
export {
  type Retry,
  TUNNEL_ERRORS,
  TunnelError,
  type TunnelErrorCode,
  type TunnelErrorEntry,
  toTunnelError,
} from './errors.ts'
export { acceptFlow, type IncomingFlow } from './flow/accept-flow.ts'
export type { FlowHead } from './flow/head.ts'
export { moveFlow } from './flow/move-flow.ts'
export { type OpenFlowOptions, openFlow } from './flow/open-flow.ts'
export { writePacked } from './flow/write-packed.ts'
export {
  type AcceptedLink,
  type AcceptLinkOptions,
  acceptLink,
  type DeviceKey,
} from './handshake/accept-link.ts'
export { connectThroughProxy } from './handshake/connect-proxy.ts'
export {
  type AgentInfo,
  type DialLinkOptions,
  type DialledLink,
  dialLink,
} from './handshake/dial-link.ts'
export { LINK_PATH, type LinkHello } from './handshake/messages.ts'
export { exportPublicKey } from './handshake/proof.ts'
export { isWebsocketKey } from './handshake/upgrade.ts'
export { DEFAULT_YAMUX_CONFIG, type YamuxConfig } from './yamux/config.ts'
export { FRAME_LIMIT_BYTES } from './yamux/constants.ts'
export { Muxer, type MuxerOptions } from './yamux/muxer.ts'
export type { YamuxStream } from './yamux/stream.ts'
export { createUnreadBudget, type UnreadBudget } from './yamux/unread-budget.ts'
