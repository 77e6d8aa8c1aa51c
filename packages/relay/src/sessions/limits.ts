/** Bounds of agents' links. */
export interface LinkLimits {
  /** Links in all; 56 KiB each while idle, 120 KiB with TLS. */
  readonly links: number
  /** Links of one device; the protocol's agents open 8 at most. */
  readonly linksPerDevice: number
  /** Handshakes that have not proved anything yet, in all: 20 KiB each at worst. Beyond: the oldest of the network that has most is cut. */
  readonly handshakes: number
  /** The same of one address (IPv6: /64); homes behind one carrier's address come back together after an outage. More: 503. */
  readonly handshakesPerAddress: number
  /** The same of one network (IPv4: /24, IPv6: /48). More: 503. */
  readonly handshakesPerNetwork: number
  /** Flows of one device at a time; more: 503, on a tcp port the connection is reset. */
  readonly flowsPerDevice: number
  /** Flows to one record at a time: each visitor's connection keeps one while it lasts. More: 503 or a reset. */
  readonly flowsPerRecord: number
  /** Those of one visitor (an address, IPv6: /64; trusted proxies are exempt) to one record. More: 503 or a reset. */
  readonly flowsPerVisitor: number
  /** New flows to one record at once; beyond: 503 or a reset. Each costs its agent a connection in the LAN. */
  readonly newFlowsPerRecordBurst: number
  /** How many of them come back each second. */
  readonly newFlowsPerRecordPerSecond: number
  /** New flows to all records of one device at once; beyond: 503 or a reset. An agent may be a router's small processor. */
  readonly newFlowsPerDeviceBurst: number
  /** How many of them come back each second. */
  readonly newFlowsPerDevicePerSecond: number
  /** Records, and devices, whose new flows are counted at once, about 150 bytes each. */
  readonly recordLimit: number
  /**
   * Flows to targets of one owner that wait for an answer; more: 503 or a reset. The door's waiting places are everybody's: homes that
   * are switched off, or an agent that never answers, must not take them all.
   */
  readonly openingsPerOwner: number
  /** Slow openings of one record; more: 503 or a reset. A target that swallows connections leaves its owner's other records room. */
  readonly slowOpeningsPerRecord: number
  /** An opening that took so long is slow: a lost packet in the LAN costs one second. */
  readonly slowOpeningMs: number
  /**
   * Bytes from homes that visitors have not taken yet, over all links; beyond it the fullest stream of the fullest link is reset.
   */
  readonly unreadBytes: number
  /** A link of a device that has others is closed once it carried no flow for one to two times this long. */
  readonly idleLinkMs: number
  /**
   * A device with a shorter round trip keeps its bulk transfers on one link: lost packets are there again before anybody notices, and
   * each further link costs CPU time.
   */
  readonly nearRoundTripMs: number
  /** For the whole handshake. */
  readonly handshakeMs: number
  /** How long an agent may take to reach a target. */
  readonly openFlowMs: number
  /** How long a probe waits for its target, and again for the answer; the server waits 12 s for the whole probe. */
  readonly probeMs: number
}

/** Link bounds used where a caller names none. */
export const defaultLinkLimits: LinkLimits = {
  links: 10_000,
  linksPerDevice: 8,
  handshakes: 1_000,
  handshakesPerAddress: 64,
  handshakesPerNetwork: 256,
  flowsPerDevice: 2_048,
  flowsPerRecord: 1_024,
  flowsPerVisitor: 512,
  newFlowsPerRecordBurst: 2_000,
  newFlowsPerRecordPerSecond: 400,
  newFlowsPerDeviceBurst: 4_000,
  newFlowsPerDevicePerSecond: 800,
  recordLimit: 20_000,
  openingsPerOwner: 1_536,
  slowOpeningsPerRecord: 64,
  slowOpeningMs: 3_000,
  unreadBytes: 256 * 1024 * 1024,
  idleLinkMs: 30_000,
  nearRoundTripMs: 3,
  handshakeMs: 10_000,
  openFlowMs: 10_000,
  probeMs: 4_000,
}
