import type { Clock } from './clock.ts'

/** How often a line may be written. */
export interface RareLineOptions {
  readonly periodMs: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/**
 * A line for what a flood makes happen thousands of times a second: `write` is called the first time, and then at most once in each
 * period, with how many happened since the last one.
 */
export function createRareLine<Facts>(
  { periodMs, clock }: RareLineOptions,
  write: (count: number, facts: Facts) => void,
): (facts: Facts) => void {
  let count = 0
  let nextAt = Number.NEGATIVE_INFINITY
  return facts => {
    count += 1
    const now = clock.monotonicMs()
    if (now < nextAt) return
    nextAt = now + periodMs
    write(count, facts)
    count = 0
  }
}
