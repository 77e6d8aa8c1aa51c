import type { CallResult, pollSsoEvents, SsoEventData } from '@homeport/contract'
import type { Timer } from '@homeport/runtime'
import type { ServerContext } from '../context.ts'
import { openSealedText, sealText } from '../sealed-text.ts'
import {
  deleteEventsOf,
  deleteOldEvents,
  type EventPlace,
  insertEvent,
  listEvents,
  markDelivered,
  type StoredEvent,
} from './event-store.ts'
import { createPollPlaces } from './poll-places.ts'

/** An event is kept this long in ms. */
export const eventKeptMs = 5 * 60 * 1000

/** An event whose answer may have been lost on the way is put into another one after this many ms, and not before. */
const repeatMs = 1_000

type PollAnswer = CallResult<typeof pollSsoEvents>

/** One long poll. */
export interface SsoPoll extends EventPlace {
  /** What limits by address count. */
  limitKey: string
  /** As the caller says: see `choose`. */
  sinceTime: number
  timeoutSeconds: number
  /** Calls back when the caller has hung up. */
  onGone(listener: () => void): void
}

/** What browsers are told of the sign-ons they began. */
export interface SsoEvents {
  /** Keeps an event and answers the poll that waits for it. */
  publish(place: EventPlace, data: SsoEventData): Promise<void>
  /** Waits for events of a place; two pages of one sign-on wait side by side. Throws `busy`. */
  poll(poll: SsoPoll): Promise<PollAnswer>
  /** Everything that is kept of a place, the oldest first. */
  list(place: EventPlace): Promise<SsoEventData[]>
  /** Forgets everything that is kept for a browser. */
  forget(binding: string): Promise<void>
  /** Polls that wait. */
  count(): number
  removeOld(): Promise<void>
  /** Answers every poll, and later ones at once. */
  close(): void
}

interface Waiting {
  /** Looks for events; also while a look is under way. */
  look(): void
  end(): void
}

/** Makes the service. Events are rows: neither a restart nor another server process loses one. */
export function createSsoEvents(
  { db, clock, keys }: Pick<ServerContext, 'db' | 'clock' | 'keys'>,
  limit?: number,
): SsoEvents {
  const sealing = { id: keys.id, bytes: keys.ssoEvent }
  const places = createPollPlaces(limit)
  const waiting = new Map<string, Set<Waiting>>()
  let isClosed = false

  const keyOf = ({ category, binding }: EventPlace) => `${category}\n${binding}`
  const keptSince = () => clock.now() - eventKeptMs
  const open = (event: StoredEvent): SsoEventData =>
    JSON.parse(openSealedText(sealing, event.data_sealed, keyOf(event)).toString())

  const present = (event: StoredEvent) => ({
    timestamp: event.timestamp,
    category: event.category,
    data: open(event),
  })

  function wait(poll: SsoPoll): Promise<PollAnswer> {
    const key = keyOf(poll)
    const { limitKey, binding } = poll
    const leave = places.take({ limitKey, binding, end: () => self.end() })
    const { promise, resolve, reject } = Promise.withResolvers<PollAnswer>()
    let isOver = false
    let isLooking = false
    let looksAgain = false
    let repeating: Timer | undefined

    function finish(answer: () => void): void {
      if (isOver) return
      isOver = true
      timer.cancel()
      repeating?.cancel()
      const others = waiting.get(key)
      others?.delete(self)
      if (others?.size === 0) waiting.delete(key)
      leave()
      answer()
    }

    async function lookOnce(): Promise<void> {
      const { due, repeatAt } = choose(await listEvents(db, poll, keptSince()), {
        sinceTime: poll.sinceTime,
        now: clock.now(),
      })
      if (isOver) return
      if (due.length > 0) {
        const ids = due.map(event => event.id)
        await markDelivered(db, ids, clock.now())
        const events = due.map(present)
        finish(() => resolve({ events }))
      } else if (repeatAt !== null) {
        repeating?.cancel()
        repeating = clock.setTimeout(() => self.look(), repeatAt - clock.now())
      }
    }

    // An event that comes while the rows are read may be missing in them.
    async function lookUntilStill(): Promise<void> {
      do {
        looksAgain = false
        await lookOnce()
      } while (looksAgain && !isOver)
    }

    const self: Waiting = {
      look() {
        looksAgain = true
        if (isLooking) return
        isLooking = true
        lookUntilStill()
          .catch(cause => finish(() => reject(cause)))
          .finally(() => {
            isLooking = false
          })
      },
      end: () => finish(() => resolve({ timeout: poll.timeoutSeconds, timestamp: clock.now() })),
    }
    const timer = clock.setTimeout(self.end, poll.timeoutSeconds * 1000)
    waiting.set(key, (waiting.get(key) ?? new Set()).add(self))
    poll.onGone(self.end)
    if (isClosed) self.end()
    else self.look()
    return promise
  }

  return {
    async publish(place, data) {
      const dataSealed = sealText(sealing, Buffer.from(JSON.stringify(data)), keyOf(place))
      await insertEvent(db, place, { dataSealed, now: clock.now(), keptSince: keptSince() })
      for (const each of waiting.get(keyOf(place)) ?? []) each.look()
    },
    poll: async poll => wait(poll),
    list: async place => (await listEvents(db, place, keptSince())).map(open),
    forget: binding => deleteEventsOf(db, binding),
    count: places.count,
    removeOld: () => deleteOldEvents(db, keptSince()),
    close() {
      isClosed = true
      for (const each of [...waiting.values()].flatMap(places => [...places])) each.end()
    },
  }
}

/**
 * Which events a poll is answered with. `sinceTime` is the browser's clock, which may be fast: it brings events back that
 * were delivered, and never keeps one away that was not. What was delivered comes again after a while, since the answer
 * may not have arrived, unless `sinceTime` is the very timestamp of a delivered event: whoever knows that has received it.
 */
function choose(
  events: readonly StoredEvent[],
  { sinceTime, now }: { sinceTime: number; now: number },
): { due: readonly StoredEvent[]; repeatAt: number | null } {
  const isReceived = (event: StoredEvent) =>
    event.delivered_at !== null && event.timestamp <= sinceTime
  const isEcho = events.some(event => isReceived(event) && event.timestamp === sinceTime)
  const open = isEcho ? events.filter(event => !isReceived(event)) : events
  if (open.length === 0) return { due: [], repeatAt: null }
  const repeatAt = (event: StoredEvent) =>
    event.delivered_at === null || event.timestamp > sinceTime ? now : event.delivered_at + repeatMs
  const first = Math.min(...open.map(repeatAt))
  return first <= now ? { due: open, repeatAt: null } : { due: [], repeatAt: first }
}
