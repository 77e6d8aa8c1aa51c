import type { Clock } from './clock.ts'

/** Whether something may happen now, or in how many milliseconds. */
export type RateAnswer = { isAllowed: true } | { isAllowed: false; retryAfterMs: number }

/** Counts what each key (an address, an account) does. */
export interface RateLimiter {
  /** Takes `cost` tokens from the key's bucket when they are there, else none; a negative cost gives them back. */
  take(key: string, cost?: number): RateAnswer
  /** Forgets a key: what it spent is given back. */
  forget(key: string): void
  /** How many keys are remembered; never above `keyLimit`. */
  size(): number
}

/** What one key may do. */
export interface RateOptions {
  /** Tokens of a full bucket: the largest burst. */
  readonly burst: number
  /** Tokens that come back each second. */
  readonly perSecond: number
  /** Keys remembered at once; about 150 bytes each with an address as key. */
  readonly keyLimit: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/**
 * Makes a token bucket for each key. A full bucket is not remembered, so what was given back pushes no other key out. Beyond `keyLimit` the key that was used longest ago is forgotten: whoever commands more
 * addresses than that gets fresh buckets, but memory stays flat and nobody else is refused on their account.
 */
export function createRateLimiter(options: RateOptions): RateLimiter {
  const { burst, perSecond, keyLimit, clock } = options
  const tokenMs = 1000 / perSecond
  // For each key the moment its bucket is full again: one number says as much as tokens and a time, and whole milliseconds
  // stay exact. A Map keeps the order of insertion and a used key is inserted anew, so the first is the least recently used.
  const fullAt = new Map<string, number>()

  return {
    take(key, cost = 1) {
      const nowMs = clock.monotonicMs()
      const before = Math.max(fullAt.get(key) ?? nowMs, nowMs)
      const after = before + cost * tokenMs
      const excessMs = after - nowMs - burst * tokenMs
      const next = excessMs > 0 ? before : after
      fullAt.delete(key)
      if (next > nowMs) fullAt.set(key, next)
      if (fullAt.size > keyLimit) {
        const [oldest] = fullAt.keys()
        if (oldest !== undefined) fullAt.delete(oldest)
      }
      if (excessMs <= 0) return { isAllowed: true }
      return { isAllowed: false, retryAfterMs: Math.ceil(excessMs) }
    },
    forget(key) {
      fullAt.delete(key)
    },
    size: () => fullAt.size,
  }
}
