export type { ControlChannel } from './channel.ts'
export type {
  DeviceSession,
  Route,
  RouteDecision,
  RouteDenial,
  RouteKey,
  Usage,
} from './methods.ts'
export {
  ControlError,
  type ControlFaultListener,
  createRelayPeer,
  createServerPeer,
  type RelayPeer,
  type ServerPeer,
} from './peer.ts'
export { createPortChannel } from './port-channel.ts'
