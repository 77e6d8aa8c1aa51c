import type { Clock, Timer } from '@homeport/runtime'

/** A thread is asked for a sign of life so often, in ms. */
const beatMs = 1_000
/** A thread that gave none for so long, in ms, is silent: nobody waits for it any longer. */
const silentMs = 10_000
/**
 * A thread that gave none for so long, in ms, hangs. One that is merely busy turns long before: behind a lock of its database it waits
 * seconds, and on a machine at load 20 it still gets a tenth of a core.
 */
const hangMs = 60_000

/** What a heartbeat does and tells. */
export interface HeartbeatParts {
  readonly clock: Pick<Clock, 'monotonicMs' | 'setInterval'>
  /** Asks for a sign of life, which is told by `hear`. */
  ask(): void
  /** Called when it becomes silent, and when it is heard again. */
  onSilent(isSilent: boolean): void
  /** Called once, when it hangs. */
  onHang(): void
}

/** Watches over a thread. */
export interface Heartbeat {
  /** It gave a sign of life. */
  hear(): void
  isSilent(): boolean
  stop(): void
}

/**
 * Begins to watch. Time in which we did not run ourselves does not count: a machine that slept, or a main thread that was held up, tells
 * nothing of the thread.
 */
export function watchHeartbeat(parts: HeartbeatParts): Heartbeat {
  const { clock } = parts
  let isAsked = false
  let isSilent = false
  let waitedMs = 0
  let lookedAt = clock.monotonicMs()

  const timer: Timer = clock.setInterval(() => {
    const now = clock.monotonicMs()
    waitedMs += Math.min(now - lookedAt, 2 * beatMs)
    lookedAt = now
    if (!isAsked) {
      // One question at a time: they would pile up before a thread that hangs.
      isAsked = true
      waitedMs = 0
      parts.ask()
    } else if (waitedMs >= hangMs) {
      timer.cancel()
      parts.onHang()
    } else if (waitedMs >= silentMs && !isSilent) {
      isSilent = true
      parts.onSilent(true)
    }
  }, beatMs)

  return {
    hear() {
      isAsked = false
      if (!isSilent) return
      isSilent = false
      parts.onSilent(false)
    },
    isSilent: () => isSilent,
    stop: () => timer.cancel(),
  }
}
