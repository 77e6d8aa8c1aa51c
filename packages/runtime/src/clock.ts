/** A timer that was set; `cancel` does nothing once it has fired. */
export interface Timer {
  cancel(): void
}

/** Time as a part is given it, so that a test can move it by hand. No timer keeps the process alive. */
export interface Clock {
  /** The date in epoch milliseconds; it jumps when somebody sets the machine's clock. */
  now(): number
  /** Milliseconds since some moment in the past; never jumps, so durations are measured with it. */
  monotonicMs(): number
  /** Runs something once after `delayMs`. */
  setTimeout(run: () => void, delayMs: number): Timer
  /** Runs something every `periodMs`, for the first time after one period. */
  setInterval(run: () => void, periodMs: number): Timer
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimeout(run, delayMs) {
    const timer = setTimeout(run, delayMs).unref()
    return { cancel: () => clearTimeout(timer) }
  },
  setInterval(run, periodMs) {
    const timer = setInterval(run, periodMs).unref()
    return { cancel: () => clearInterval(timer) }
  },
}
