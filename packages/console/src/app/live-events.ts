import { userEventSchema } from '@homeport/contract'
import { queryKeys } from './query-keys.ts'

/** What can go stale by a live event. */
export type LiveKey = 'routers' | 'announcements' | 'profile'

/** Which stored answers an event makes stale; null for what is no event of ours. */
export function staleKeyOf(data: unknown): LiveKey | null {
  let value: unknown
  try {
    value = JSON.parse(String(data))
  } catch {
    return null // not JSON, so not an event we know
  }
  const event = userEventSchema.safeParse(value)
  if (!event.success) return null
  switch (event.data.type) {
    case 'router':
    case 'router_changed':
    case 'record':
      return 'routers'
    case 'announcement':
      return 'announcements'
    case 'profile':
      return 'profile'
  }
}

/** The part of EventSource that is used. */
export interface LiveSource {
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void
  readonly readyState: number
  close(): void
}

/** What the connection needs from its surroundings. */
export interface LiveOptions {
  open: () => LiveSource
  /** Makes these answers stale, so that the page asks anew. */
  refresh: (keys: readonly LiveKey[]) => void
}

const closedState = 2 // EventSource.CLOSED: it has given up, for example on a 503
const batchMs = 100 // many devices may come online together; one asking answers for all
const pollMs = 15_000 // how stale a page may get while no event can arrive
const leastRetryMs = 1000
const mostRetryMs = 30_000

/** Everything that events keep fresh. */
export const liveKeys = ['routers', 'announcements', 'profile'] as const satisfies LiveKey[]

const eventTypes = ['message', 'router', 'router_changed', 'record', 'announcement', 'profile']

/**
 * Holds the stream of live events. The browser mends a broken connection by itself; where it gives up, we open anew
 * with a growing delay and ask by polling meanwhile. After every gap all is asked anew, since events may be lost.
 * Gives the function that ends it.
 */
export function holdLiveEvents({ open, refresh }: LiveOptions): () => void {
  const stale = new Set<LiveKey>()
  let batch: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let poll: ReturnType<typeof setInterval> | undefined
  let retryMs = leastRetryMs
  let hadGap = false
  let source = connect()

  function connect(): LiveSource {
    const opened = open()
    opened.addEventListener('open', () => {
      stopPolling()
      retryMs = leastRetryMs
      if (hadGap) refresh(liveKeys)
      hadGap = false
    })
    opened.addEventListener('error', () => {
      hadGap = true
      poll ??= setInterval(() => refresh(['routers']), pollMs)
      if (opened.readyState !== closedState || retry !== undefined) return
      // A refusal may mean that the session ended in another tab: the profile tells, and the guard follows it.
      refresh(['profile'])
      retry = setTimeout(
        () => {
          retry = undefined
          source = connect()
        },
        retryMs * (0.5 + Math.random() / 2),
      )
      retryMs = Math.min(retryMs * 2, mostRetryMs)
    })
    for (const type of eventTypes) opened.addEventListener(type, ({ data }) => note(data))
    return opened
  }

  function note(data: unknown): void {
    const key = staleKeyOf(data)
    if (key === null) return
    stale.add(key)
    batch ??= setTimeout(() => {
      batch = undefined
      refresh([...stale])
      stale.clear()
    }, batchMs)
  }

  function stopPolling(): void {
    clearInterval(poll)
    poll = undefined
  }

  return () => {
    clearTimeout(batch)
    clearTimeout(retry)
    stopPolling()
    source.close()
  }
}

/** The query keys of stale answers. */
export const queryKeyOf = (key: LiveKey) => queryKeys[key]
