/** Every bound of the visitors' door. Times are ms, sizes are bytes. Zero is never "no limit". */
export interface DoorLimits {
  /** Request line, RFC 9112 §3 asks for at least 8000; longer: 414. */
  readonly requestLineBytes: number
  /** One header line of a request; longer: 431. */
  readonly fieldLineBytes: number
  /** A whole head, of a request (431) or of a response (502). */
  readonly headBytes: number
  /** Header lines in one head; more: 431 or 502. */
  readonly fieldCount: number
  /** Chunk extensions of one body, all together: they carry nothing, so their sum is bounded. */
  readonly chunkExtensionBytes: number
  /** Trailer section of one chunked body. */
  readonly trailerBytes: number
  /** 1xx answers before the final one. */
  readonly interimCount: number
  /** From the first byte of a head to its last, however the bytes drip: 408. */
  readonly headMs: number
  /** A connection that says nothing between requests, or before the first. */
  readonly idleMs: number
  /** The routing decision; later: 503. */
  readonly decideMs: number
  /** Opening a stream to the target; later: 504. */
  readonly openMs: number
  /** A request body that makes no progress: 408, or 504 where the target is what blocks it. */
  readonly requestIdleMs: number
  /** From the end of the request to the response head: 504. */
  readonly responseHeadMs: number
  /** A response that makes no progress, because of either side. Event streams are silent for minutes. */
  readonly responseIdleMs: number
  /** A switched connection (WebSocket) without a byte either way. */
  readonly joinedIdleMs: number
  /** After the last response bytes the rest of an unwanted request is read away for this long (RFC 9112 §9.6). */
  readonly lingerMs: number
  /** A request that cannot be repeated does not ride on an upstream stream that was silent for longer. */
  readonly keptFreshMs: number
  /**
   * Connections of all visitors. One costs 16 KiB while idle, 56 KiB with TLS, and what it holds. Beyond: connections without a
   * request under way are closed, first those of the address that has most; where there are none the newcomer is.
   */
  readonly connections: number
  /** Connections of one address (IPv6: of one /64); more are closed. Trusted proxies are exempt. Carrier-grade NAT hides many homes. */
  readonly connectionsPerAddress: number
  /** Requests that wait for a decision or for a stream; more: 503. */
  readonly waitingRequests: number
}

/** The bounds that apply unless a test or an operator says otherwise. */
export const doorLimits: DoorLimits = {
  requestLineBytes: 8 * 1024,
  fieldLineBytes: 8 * 1024,
  headBytes: 64 * 1024,
  fieldCount: 100,
  chunkExtensionBytes: 16 * 1024,
  trailerBytes: 8 * 1024,
  interimCount: 16,
  headMs: 10_000,
  idleMs: 75_000,
  decideMs: 10_000,
  openMs: 10_000,
  requestIdleMs: 60_000,
  responseHeadMs: 60_000,
  responseIdleMs: 300_000,
  joinedIdleMs: 3_600_000,
  lingerMs: 5_000,
  keptFreshMs: 1_000,
  connections: 10_000,
  connectionsPerAddress: 1_024,
  waitingRequests: 6_000,
}
