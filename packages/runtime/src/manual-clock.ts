import type { Clock, Timer } from './clock.ts'

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /** Moves both times on and runs the timers that fall due on the way, each at its own moment. */
  advance(ms: number): void
  /** How many timers wait: a test can see that a part left none behind. */
  waitingCount(): number
}

type Waiting = { dueAt: number; order: number; run: () => void; periodMs: number | undefined }

/** Makes a clock for tests; `startAt` is its first date in epoch milliseconds. */
export function createManualClock(startAt = Date.UTC(2026, 0, 1)): ManualClock {
  const waiting = new Set<Waiting>()
  let elapsedMs = 0
  let order = 0

  const add = (run: () => void, delayMs: number, periodMs?: number): Timer => {
    order += 1
    const timer: Waiting = { dueAt: elapsedMs + Math.max(delayMs, 0), order, run, periodMs }
    waiting.add(timer)
    return { cancel: () => waiting.delete(timer) }
  }

  const nextDue = (untilMs: number): Waiting | undefined => {
    let next: Waiting | undefined
    for (const timer of waiting) {
      if (timer.dueAt > untilMs) continue
      const isEarlier =
        next === undefined ||
        timer.dueAt < next.dueAt ||
        (timer.dueAt === next.dueAt && timer.order < next.order)
      if (isEarlier) next = timer
    }
    return next
  }

  return {
    now: () => startAt + elapsedMs,
    monotonicMs: () => elapsedMs,
    setTimeout: (run, delayMs) => add(run, delayMs),
    // A period below one millisecond would never let `advance` end; Node rounds it up as well.
    setInterval: (run, periodMs) => add(run, Math.max(periodMs, 1), Math.max(periodMs, 1)),
    advance(ms) {
      const untilMs = elapsedMs + ms
      for (let timer = nextDue(untilMs); timer !== undefined; timer = nextDue(untilMs)) {
        elapsedMs = timer.dueAt
        if (timer.periodMs === undefined) waiting.delete(timer)
        else timer.dueAt += timer.periodMs
        timer.run()
      }
      elapsedMs = untilMs
    },
    waitingCount: () => waiting.size,
  }
}
