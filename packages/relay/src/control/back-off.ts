/** Waiting times that double up to a limit, each with half of it at random, so that many do not come back at once. */
export function createBackOff(firstMs: number, limitMs: number): { next(): number; reset(): void } {
  let delayMs = firstMs
  return {
    next() {
      const waitMs = delayMs / 2 + (Math.random() * delayMs) / 2
      delayMs = Math.min(delayMs * 2, limitMs)
      return waitMs
    },
    reset() {
      delayMs = firstMs
    },
  }
}
