/** Bounds of visitors on ports of tcp records. */
export interface PortLimits {
  /** Connections on all ports; more are reset. */
  readonly connections: number
  /** Connections to one record; more are reset. */
  readonly connectionsPerRecord: number
  /** Connections of one address (IPv6: /64) on all ports; more are reset. Trusted proxies are exempt. */
  readonly connectionsPerAddress: number
  /** A connection without a byte either way; a shell may be silent for a night, so keep-alive probes find the dead. */
  readonly idleMs: number
  /** After this, a port that another program holds is tried again. */
  readonly retryMs: number
}

/** Port bounds used where a caller names none. */
export const defaultPortLimits: PortLimits = {
  connections: 5_000,
  connectionsPerRecord: 512,
  connectionsPerAddress: 256,
  idleMs: 12 * 60 * 60 * 1000,
  retryMs: 30_000,
}
