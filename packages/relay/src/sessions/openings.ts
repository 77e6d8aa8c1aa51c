import type { Clock } from '@homeport/runtime'
import { TunnelError } from '@homeport/tunnel'
import type { LinkLimits } from './limits.ts'

/** Counts the flows that are being opened, by owner and by record. */
export interface Openings {
  /**
   * Runs `open` while it is counted. Rejects with `stream_limit` where the owner has too many openings or the record too many slow
   * ones, at once or when this one becomes slow; else as `open`.
   */
  count<T>(
    route: { readonly owner: number; readonly record: number },
    signal: AbortSignal,
    open: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>
}

function step(counts: Map<number, number>, key: number, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

const tooMany = () =>
  new TunnelError('stream_limit', { detail: 'too many targets have not answered yet' })

/**
 * Makes an empty count. A target that swallows what it is sent makes its record's openings pile up; of those only a few may stay, so
 * that the owner's other records have room. A crowd that comes to a target which answers is not held up: its openings are not slow.
 */
export function createOpenings(
  limits: Pick<LinkLimits, 'openingsPerOwner' | 'slowOpeningsPerRecord' | 'slowOpeningMs'>,
  clock: Pick<Clock, 'setTimeout'>,
): Openings {
  const byOwner = new Map<number, number>()
  const slowByRecord = new Map<number, number>()
  const isStuck = (record: number) =>
    (slowByRecord.get(record) ?? 0) >= limits.slowOpeningsPerRecord

  return {
    async count({ owner, record }, signal, open) {
      const ofOwner = byOwner.get(owner) ?? 0
      if (ofOwner >= limits.openingsPerOwner || isStuck(record)) throw tooMany()
      const attempt = new AbortController()
      const abort = () => attempt.abort()
      if (signal.aborted) abort()
      signal.addEventListener('abort', abort)
      let isSlow = false
      let isDropped = false
      const timer = clock.setTimeout(() => {
        if (isStuck(record)) {
          isDropped = true
          abort()
        } else {
          isSlow = true
          step(slowByRecord, record, 1)
        }
      }, limits.slowOpeningMs)
      step(byOwner, owner, 1)
      try {
        return await open(attempt.signal)
      } catch (cause) {
        throw isDropped ? tooMany() : cause
      } finally {
        timer.cancel()
        signal.removeEventListener('abort', abort)
        step(byOwner, owner, -1)
        if (isSlow) step(slowByRecord, record, -1)
      }
    },
  }
}
