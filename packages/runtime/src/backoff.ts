/** Pauses between attempts: each longer than the last up to a bound, and never the same for two clients. */
export interface Backoff {
  /** The pause before the next attempt, in milliseconds. */
  next(): number
  /** Begins again with the shortest pause: something went well. */
  reset(): void
}

/** Bounds of the pauses in milliseconds; `random` gives numbers from 0 up to but not 1. */
export interface BackoffOptions {
  readonly minMs: number
  readonly maxMs: number
  readonly random?: () => number
}

/**
 * Makes a doubling back-off. Half of each pause is fixed and half is random: after a relay's restart its agents come back
 * spread out, and none of them hammers (with a wholly random pause some would come back at once).
 */
export function createBackoff({ minMs, maxMs, random = Math.random }: BackoffOptions): Backoff {
  let attempts = 0
  return {
    next() {
      // 2^30 is beyond any bound; without the cap the power would one day be Infinity.
      const fullMs = Math.min(maxMs, minMs * 2 ** Math.min(attempts, 30))
      attempts += 1
      return Math.round(fullMs / 2 + (fullMs / 2) * random())
    },
    reset() {
      attempts = 0
    },
  }
}
