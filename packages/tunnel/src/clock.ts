/** Time as this package needs it; tests put in one they can move by hand. */
export interface Clock {
  /** Milliseconds of a clock that never jumps back. */
  now(): number
  /** Calls `run` once after `delayMs`; the answer is given to `clearTimeout`. */
  setTimeout(run: () => void, delayMs: number): unknown
  clearTimeout(handle: unknown): void
}

/** The process's own monotonic clock; a waiting timer does not keep the process alive. */
export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout: (run, delayMs) => setTimeout(run, delayMs).unref(),
  clearTimeout: handle => clearTimeout(handle as NodeJS.Timeout),
}
