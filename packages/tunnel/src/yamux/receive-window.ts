import { INITIAL_WINDOW_BYTES } from './constants.ts'

/** On a near line the turns of both ends' event loops, and not the way, are what a byte and the grant it earns wait for. */
const TURNS_MS = 4

/** What a window asks of its muxer when it wants to grow. */
export interface WindowBudget {
  /** Smallest round trip seen, in milliseconds; 0 while unknown. */
  readonly minRoundTripMs: number
  now(): number
  /** Takes up to `bytes` from the muxer's growth budget and tells how many it got. */
  reserveGrowth(bytes: number): number
  releaseGrowth(bytes: number): void
}

/**
 * How much the peer may send on one stream. It grows towards twice bandwidth x round trip, measured at the reader:
 * a window smaller than that product stalls the sender, a larger one only makes queues on the way. The smallest
 * round trip counts, or the queue that a window makes would justify the window.
 */
export class ReceiveWindow {
  readonly #budget: WindowBudget
  readonly #limitBytes: number
  #size = INITIAL_WINDOW_BYTES
  #open = INITIAL_WINDOW_BYTES
  #updatedAt: number

  constructor(budget: WindowBudget, limitBytes: number) {
    this.#budget = budget
    this.#limitBytes = limitBytes
    this.#updatedAt = budget.now()
  }

  /** The size the window has grown to. */
  get size(): number {
    return this.#size
  }

  /** Counts a data frame; false when the peer had no right to send it. */
  spend(bytes: number): boolean {
    if (bytes > this.#open) return false
    this.#open -= bytes
    return true
  }

  /** The delta to grant now, 0 when it is not worth a frame yet. `unread` bytes still occupy the window. */
  grant(unread: number): number {
    const consumed = this.#size - this.#open - unread
    if (consumed < this.#size / 2) return 0
    this.#grow(consumed)
    const delta = this.#size - this.#open - unread
    this.#open += delta
    return delta
  }

  /** Gives the growth back to the muxer's budget. */
  close(): void {
    this.#budget.releaseGrowth(this.#size - INITIAL_WINDOW_BYTES)
    this.#size = INITIAL_WINDOW_BYTES
  }

  #grow(consumed: number): void {
    const now = this.#budget.now()
    // Coarse clocks and reads within one turn of the event loop must not divide by nothing.
    const elapsedMs = Math.max(now - this.#updatedAt, 0.1)
    this.#updatedAt = now
    const roundTripMs = Math.max(this.#budget.minRoundTripMs, TURNS_MS)
    const wanted = (2 * consumed * roundTripMs) / elapsedMs
    if (wanted <= this.#size) return
    const target = Math.min(Math.ceil(wanted), this.#size * 2, this.#limitBytes)
    if (target > this.#size) this.#size += this.#budget.reserveGrowth(target - this.#size)
  }
}
