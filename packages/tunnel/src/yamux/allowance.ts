/** A bucket that refills with time; for things that are harmless in moderation. */
export class Allowance {
  readonly #burst: number
  readonly #perSecond: number
  readonly #now: () => number
  #left: number
  #refilledAt: number

  constructor(burst: number, perSecond: number, now: () => number) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#now = now
    this.#left = burst
    this.#refilledAt = now()
  }

  /** Takes one; false when none is left. */
  take(): boolean {
    if (this.#left < 1) {
      const now = this.#now()
      const refill = ((now - this.#refilledAt) / 1000) * this.#perSecond
      this.#left = Math.min(this.#burst, this.#left + refill)
      this.#refilledAt = now
      if (this.#left < 1) return false
    }
    this.#left -= 1
    return true
  }
}
