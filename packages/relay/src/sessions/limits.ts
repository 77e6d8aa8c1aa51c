/** Bounds of agents' links. */
export interface LinkLimits {
  /** Links in all; about 60 KiB each while idle. */
  readonly links: number
  /** Links of one device; the protocol's agents open 8 at most. */
  readonly linksPerDevice: number
  /** Handshakes that have not proved anything yet, in all: 20 KiB each at worst. Beyond: the oldest of the network that has most is cut. */
  readonly handshakes: number
  /** The same of one address (IPv6: /64); homes behind one carrier's address come back together after an outage. More: 503. */
  readonly handshakesPerAddress: number
  /** The same of one network (IPv4: /24, IPv6: /48). More: 503. */
  readonly handshakesPerNetwork: number
  /** Flows of one device at a time. */
  readonly flowsPerDevice: number
  /**
   * Flows to targets of one owner that wait for an answer. The door's waiting places are everybody's: homes that are switched off,
   * or an agent that never answers, must not take them all.
   */
  readonly openingsPerOwner: number
  /**
   * Bytes from homes that visitors have not taken yet, over all links; beyond it the fullest stream of the fullest link is reset.
   */
  readonly unreadBytes: number
  /** A link of a device that has others is closed once it carried no flow for one to two times this long. */
  readonly idleLinkMs: number
  /** For the whole handshake. */
  readonly handshakeMs: number
  /** How long an agent may take to reach a target. */
  readonly openFlowMs: number
  /** How long a probe waits for its target, and again for the answer; the server waits 12 s for the whole probe. */
  readonly probeMs: number
}

/** Link bounds used where a caller names none. */
export const defaultLinkLimits: LinkLimits = {
  links: 20_000,
  linksPerDevice: 8,
  handshakes: 1_000,
  handshakesPerAddress: 64,
  handshakesPerNetwork: 256,
  flowsPerDevice: 2_048,
  openingsPerOwner: 256,
  unreadBytes: 256 * 1024 * 1024,
  idleLinkMs: 30_000,
  handshakeMs: 10_000,
  openFlowMs: 10_000,
  probeMs: 4_000,
}
