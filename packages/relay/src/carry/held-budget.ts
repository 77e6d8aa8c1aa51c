import { createRareLine, type Logger } from '@homeport/runtime'
import { type Clock, systemClock } from '@homeport/tunnel'

/** One visitor's connection, as the budget sees it. */
export interface Holder {
  /** What it holds now. */
  heldBytes(): number
  /** How much it is in the way: the sum of {@link weightOf} over its parts. */
  weight(now: number): number
  /** Ends it at once. */
  cut(): void
}

/** A holder's place in the budget. */
export interface Holding {
  /** To be called where it may hold more than before; that it holds less is found out when it matters. */
  count(): void
  leave(): void
}

/** What visitors' connections hold together. */
export interface HeldBudget {
  join(holder: Holder): Holding
  /** What is counted; never less than what is held. */
  heldBytes(): number
}

/** What a budget is made of. */
export interface HeldBudgetParts {
  readonly limitBytes: number
  readonly clock?: Pick<Clock, 'now'>
  readonly logger: Pick<Logger, 'warn'>
}

/** A holder and what was counted of it. */
interface Place {
  readonly holder: Holder
  bytes: number
  isLeft: boolean
}

/** A flood writes one line in so many ms. */
const linePeriodMs = 10_000
/** Within half a second nobody stands still: a relay that a crowd keeps busy comes round no sooner to those who read. */
const stillFloorMs = 500
/** Standing still for longer counts no more: a quiet event stream with its small head must not come to weigh more than who hoards. */
const stillLimitMs = 10_000

/**
 * The weight of bytes that stand still since a moment: times the square of the ms, because time tells a hoarder from a slow reader and
 * size does not.
 */
export function weightOf(
  bytes: number,
  since: number,
  now: number,
  limitMs = stillLimitMs,
): number {
  const stillMs = Math.min(Math.max(now - since, stillFloorMs), limitMs)
  return bytes * stillMs * stillMs
}

/**
 * Makes an empty budget. Beyond its limit those are cut that hold most for longest ({@link weightOf}), until an eighth of it is
 * free: so never everybody, readers that take what they are given go last however many hoard, and looking at all connections is worth
 * its time. It happens as soon as whoever counted has finished, not in the middle of a write.
 */
export function createHeldBudget(parts: HeldBudgetParts): HeldBudget {
  const { limitBytes, clock = systemClock, logger } = parts
  const places = new Set<Place>()
  const calmBytes = limitBytes - limitBytes / 8
  let total = 0
  let isPlanned = false
  let cutCount = 0
  const tell = createRareLine<void>(
    { periodMs: linePeriodMs, clock: { monotonicMs: clock.now } },
    () => {
      logger.warn(
        { count: cutCount, limitBytes },
        'visitors held more than the limit: those that stood still with most were cut',
      )
      cutCount = 0
    },
  )

  function measure(place: Place): void {
    const bytes = place.holder.heldBytes()
    total += bytes - place.bytes
    place.bytes = bytes
  }

  function leave(place: Place): void {
    if (place.isLeft) return
    place.isLeft = true
    places.delete(place)
    total -= place.bytes
  }

  function relieve(): void {
    isPlanned = false
    for (const place of places) measure(place)
    if (total <= calmBytes) return
    const now = clock.now()
    const heaviest = [...places]
      .filter(({ bytes }) => bytes > 0)
      .map(place => ({ place, weight: place.holder.weight(now) }))
      .sort((a, b) => b.weight - a.weight)
    for (const { place } of heaviest) {
      if (total <= calmBytes) break
      leave(place)
      place.holder.cut()
      cutCount += 1
    }
    tell()
  }

  return {
    join(holder) {
      const place: Place = { holder, bytes: 0, isLeft: false }
      places.add(place)
      return {
        count() {
          if (place.isLeft) return
          measure(place)
          if (total <= limitBytes || isPlanned) return
          isPlanned = true
          process.nextTick(relieve)
        },
        leave: () => leave(place),
      }
    },
    heldBytes: () => total,
  }
}
