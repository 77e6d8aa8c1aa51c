import { AppError } from '../http/app-error.ts'

/** Long polls that wait at once, of all browsers; each holds a connection, here and at the relay. */
export const pollLimit = 6_000

/** Long polls of one address (IPv6: of one /64) that wait at once: a carrier puts hundreds of homes behind one. */
export const pollsPerAddressLimit = 256

/** Long polls of one browser that wait at once: a browser keeps no more connections to one host. The oldest ends. */
export const pollsPerBrowserLimit = 6

/** Seconds after which whoever found no place may try again. */
const retryAfterSeconds = 5

/** A poll that asks for a place. */
export interface PlaceSeeker {
  limitKey: string
  binding: string
  /** Told where it has to make room for a newer one of its browser. */
  end(): void
}

/** Places of waiting polls. */
export interface PollPlaces {
  /** Takes a place and gives what frees it, once; throws `busy`. */
  take(seeker: PlaceSeeker): () => void
  /** Places that are taken. */
  count(): number
}

/** Makes the places; `limit` is for all together. */
export function createPollPlaces(limit = pollLimit): PollPlaces {
  const byAddress = new Map<string, number>()
  /** Each in the order in which they came. */
  const byBrowser = new Map<string, Set<PlaceSeeker>>()
  let all = 0

  /** What is left behind must not wait for its end: a browser that hangs up is not noticed where its connection is half closed. */
  function makeRoom(binding: string): void {
    const own = byBrowser.get(binding)
    const [oldest] = own ?? []
    if ((own?.size ?? 0) >= pollsPerBrowserLimit) oldest?.end()
  }

  function add(seeker: PlaceSeeker): void {
    const { limitKey, binding } = seeker
    all += 1
    byAddress.set(limitKey, (byAddress.get(limitKey) ?? 0) + 1)
    const own = byBrowser.get(binding) ?? new Set()
    byBrowser.set(binding, own.add(seeker))
  }

  function remove(seeker: PlaceSeeker): void {
    const { limitKey, binding } = seeker
    all -= 1
    const left = (byAddress.get(limitKey) ?? 1) - 1
    if (left === 0) byAddress.delete(limitKey)
    else byAddress.set(limitKey, left)
    const own = byBrowser.get(binding)
    own?.delete(seeker)
    if (own?.size === 0) byBrowser.delete(binding)
  }

  return {
    take(seeker) {
      makeRoom(seeker.binding)
      const isFull = all >= limit || (byAddress.get(seeker.limitKey) ?? 0) >= pollsPerAddressLimit
      if (isFull) throw new AppError('busy', { retryAfterSeconds })
      add(seeker)
      let isFreed = false
      return () => {
        if (!isFreed) remove(seeker)
        isFreed = true
      }
    },
    count: () => all,
  }
}
