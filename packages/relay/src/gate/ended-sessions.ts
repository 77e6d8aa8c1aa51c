import { gateLifetimeMs } from '@homeport/contract/gate'
import { createBoundedMap } from '../routing/bounded-map.ts'

// 100,000 sign-outs within 12 hours, about 150 bytes each: 15 MB at worst. Beyond that the oldest is forgotten.
const endedLimit = 100_000

/** Console sessions that ended: their gate cookies are dead, though not expired. */
export interface EndedSessions {
  add(session: string): void
  has(session: string): boolean
}

/** Remembers ended sessions for as long as a gate cookie of theirs could live. */
export function createEndedSessions(now: () => number): EndedSessions {
  const ended = createBoundedMap<string, number>(endedLimit)
  return {
    add: session => ended.set(session, now() + gateLifetimeMs),
    has(session) {
      const until = ended.get(session)
      if (until === undefined) return false
      if (until > now()) return true
      ended.delete(session)
      return false
    },
  }
}
