import type { Clock } from '@homeport/runtime'

/** What everybody together may do. */
export interface CrowdOptions {
  readonly burst: number
  /** How many come back each second. */
  readonly perSecond: number
  readonly clock: Pick<Clock, 'monotonicMs'>
}

/** Counts what everybody does together. */
export interface Crowd {
  /** `crowded` from half of the burst on, `full` where there is no room for one more. */
  state(): 'calm' | 'crowded' | 'full'
  enter(): void
}

/** Makes an empty count: a bucket that leaks. */
export function createCrowd({ burst, perSecond, clock }: CrowdOptions): Crowd {
  let level = 0
  let levelAt = clock.monotonicMs()
  return {
    state() {
      const now = clock.monotonicMs()
      level = Math.max(0, level - ((now - levelAt) * perSecond) / 1000)
      levelAt = now
      if (level + 1 > burst) return 'full'
      return level + 1 > burst / 2 ? 'crowded' : 'calm'
    },
    enter() {
      level += 1
    },
  }
}
