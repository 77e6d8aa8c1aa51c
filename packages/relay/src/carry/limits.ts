/** Bounds of what is carried between visitors and homes, at the door and at ports of tcp records. */
export interface CarryLimits {
  /**
   * Bytes that all visitors' connections may hold: heads, reads nobody has taken, and what waits to be written either way, each at what it
   * may cost. Beyond: connections are cut, first those that stood still for longest with most, until an eighth is free.
   */
  readonly heldBytes: number
}

/** Bounds used where a caller names none: some 2,500 visitors over TLS who read nothing of a long answer. */
export const defaultCarryLimits: CarryLimits = {
  heldBytes: 1024 * 1024 * 1024,
}
