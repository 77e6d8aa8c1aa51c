/** Bounds of connections before anything is known of them but an address. Proxies of the operator are exempt. */
export interface ArrivalLimits {
  /** New connections that one address (IPv6: /64) may open at once, on all ports; beyond: the connection is reset. */
  readonly newConnectionsPerAddressBurst: number
  /** How many of them come back each second. */
  readonly newConnectionsPerAddressPerSecond: number
  /** The same for one network (IPv4: /24, IPv6: /48), because many addresses may be one hand. */
  readonly newConnectionsPerNetworkBurst: number
  /** How many of them come back each second. */
  readonly newConnectionsPerNetworkPerSecond: number
  /**
   * New connections of everybody together, agents and trusted proxies too, on all ports, at once; beyond: reset. Once half of them are
   * spent, each counts as eight for its address and its network, so that those pay who come in crowds.
   */
  readonly newConnectionsBurst: number
  /** How many of them come back each second. */
  readonly newConnectionsPerSecond: number
  /** Addresses remembered at once, and networks: about 150 bytes each. */
  readonly addressLimit: number
  /** TLS handshakes under way, 20 KiB each; beyond: the oldest of the network that has most is cut. */
  readonly handshakes: number
  /** TLS handshakes of one address (IPv6: /64); more: the connection is reset. */
  readonly handshakesPerAddress: number
  /** TLS handshakes of one network (IPv4: /24, IPv6: /48); more: the connection is reset. */
  readonly handshakesPerNetwork: number
  /** For a whole TLS handshake; then the connection is cut. */
  readonly handshakeMs: number
  /** For a whole PROXY header of a trusted proxy, a lost packet included; then the connection is reset. */
  readonly proxyHeaderMs: number
}

/** Arrival bounds used where a caller names none. An office or a carrier's shared address stays below. */
export const defaultArrivalLimits: ArrivalLimits = {
  newConnectionsPerAddressBurst: 2_000,
  newConnectionsPerAddressPerSecond: 200,
  newConnectionsPerNetworkBurst: 8_000,
  newConnectionsPerNetworkPerSecond: 800,
  newConnectionsBurst: 20_000,
  newConnectionsPerSecond: 4_000,
  addressLimit: 20_000,
  handshakes: 4_000,
  handshakesPerAddress: 512,
  handshakesPerNetwork: 2_048,
  handshakeMs: 10_000,
  proxyHeaderMs: 5_000,
}
