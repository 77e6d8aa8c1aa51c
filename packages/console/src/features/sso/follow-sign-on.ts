import {
  CallError,
  type CallResult,
  type pollSsoEvents,
  type SsoEventData,
  ssoCategoryOf,
  ssoPollSeconds,
} from '@homeport/contract'

/** What the long poll needs from its surroundings. */
export interface FollowOptions {
  /** The sign-on's id. */
  id: string
  /** One long poll; rejects with CallError. */
  poll: (
    query: { timeout: number; category: string; since_time: number },
    signal: AbortSignal,
  ) => Promise<CallResult<typeof pollSsoEvents>>
  now: () => number
  /** Resolves after that many ms, or when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  onEvent: (event: SsoEventData) => void
  /** Whether this browser is signed in meanwhile, by another tab say: what is left to ask while no poll gets through. */
  isSignedIn: () => Promise<boolean>
  onSignedIn: () => void
  signal: AbortSignal
}

/** After a poll that failed the next one waits this many ms, doubled up to the most. */
const leastPauseMs = 1_000
const mostPauseMs = 15_000

/**
 * Polls until somebody decided, or the signal is aborted: `since_time` is the current time (client.md section 7), and the
 * timestamp of the last event once there was one, which tells the server that it arrived.
 */
export async function followSignOn(options: FollowOptions): Promise<void> {
  const { id, poll, now, wait, onEvent, isSignedIn, onSignedIn, signal } = options
  const category = ssoCategoryOf(id)
  let received: number | undefined
  let pauseMs = leastPauseMs
  while (!signal.aborted) {
    try {
      const query = { timeout: ssoPollSeconds, category, since_time: received ?? now() }
      const answer = await poll(query, signal)
      pauseMs = leastPauseMs
      if (!('events' in answer)) continue
      for (const { timestamp, data } of answer.events) {
        received = timestamp
        onEvent(data)
        if (data.state !== 'scanned') return
      }
    } catch (error) {
      if (signal.aborted) return
      // Where even this is not answered, the next poll is tried.
      const isIn = await isSignedIn().catch(() => false)
      if (signal.aborted) return
      if (isIn) return onSignedIn()
      const seconds = error instanceof CallError ? error.retryAfterSeconds : undefined
      await wait(seconds === undefined ? pauseMs : seconds * 1000, signal)
      pauseMs = Math.min(pauseMs * 2, mostPauseMs)
    }
  }
}
