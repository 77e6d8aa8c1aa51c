import type { RateAnswer, RateLimiter } from '@homeport/runtime'
import { AppError } from './app-error.ts'

/** Whose bucket of which limiter pays for something. */
export type Purse = readonly [limiter: RateLimiter, key: string]

/** Takes a token of each, or of none; `refused` says when one would be there. */
export function takeFromAll(purses: readonly Purse[]): {
  giveBack: () => void
  refused: Extract<RateAnswer, { isAllowed: false }> | null
} {
  const paid: Purse[] = []
  const giveBack = () => {
    for (const [limiter, key] of paid.splice(0)) limiter.take(key, -1)
  }
  // One after the other: who is refused by the first must not spend what others share behind it.
  for (const purse of purses) {
    const [limiter, key] = purse
    const answer = limiter.take(key)
    if (!answer.isAllowed) {
      giveBack()
      return { giveBack, refused: answer }
    }
    paid.push(purse)
  }
  return { giveBack, refused: null }
}

/** Takes a token of each, and gives a way to take them back, once; throws `rate_limited` where one has none, and takes none. */
export function payFromAll(purses: readonly Purse[]): () => void {
  const { giveBack, refused } = takeFromAll(purses)
  if (refused === null) return giveBack
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.ceil(refused.retryAfterMs / 1000),
  })
}
