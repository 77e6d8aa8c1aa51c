import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { holdLiveEvents, type LiveKey, type LiveSource, staleKeyOf } from './live-events.ts'

/** An EventSource whose events the test fires. */
class FakeSource implements LiveSource {
  readyState = 1
  isClosed = false
  readonly listeners = new Map<string, ((event: { data?: unknown }) => void)[]>()
  addEventListener(type: string, listener: (event: { data?: unknown }) => void) {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener])
  }
  fire(type: string, data?: unknown) {
    for (const listener of this.listeners.get(type) ?? []) listener({ data })
  }
  close() {
    this.isClosed = true
  }
}

const event = (value: unknown) => JSON.stringify(value)
const online = (id: number) => event({ type: 'router', id, status: 'online' })

describe('staleKeyOf', () => {
  it.each([
    [online(1), 'routers'],
    [event({ type: 'router_changed', id: 1 }), 'routers'],
    [event({ type: 'record', id: 1, router: 2 }), 'routers'],
    [event({ type: 'announcement' }), 'announcements'],
    [event({ type: 'profile' }), 'profile'],
    [event({ type: 'something' }), null],
    ['not json', null],
    [undefined, null],
  ])('%s', (data, key) => {
    expect(staleKeyOf(data)).toBe(key)
  })
})

describe('holdLiveEvents', () => {
  const sources: FakeSource[] = []
  const refreshed: (readonly LiveKey[])[] = []
  let end = () => {}
  const last = () => sources.at(-1) as FakeSource

  beforeEach(() => {
    vi.useFakeTimers()
    sources.length = 0
    refreshed.length = 0
    end = holdLiveEvents({
      open: () => {
        sources.push(new FakeSource())
        return last()
      },
      refresh: keys => refreshed.push(keys),
    })
  })
  afterEach(() => {
    end()
    vi.useRealTimers()
  })

  it('answers many events with one asking', () => {
    for (let id = 1; id <= 50; id += 1) last().fire('message', online(id))
    last().fire('announcement', event({ type: 'announcement' }))
    vi.advanceTimersByTime(1000)
    expect(refreshed).toEqual([['routers', 'announcements']])
  })

  it('asks for everything after a gap, not at the first opening', () => {
    last().fire('open')
    expect(refreshed).toEqual([])
    last().fire('error')
    last().fire('open')
    expect(refreshed).toEqual([['routers', 'announcements', 'profile']])
  })

  it('polls while the stream is broken and stops when it is back', () => {
    last().fire('error')
    vi.advanceTimersByTime(31_000)
    expect(refreshed).toEqual([['routers'], ['routers']])
    last().fire('open')
    refreshed.length = 0
    vi.advanceTimersByTime(60_000)
    expect(refreshed).toEqual([])
  })

  it('opens anew where the browser gave up, and leaves a mending one alone', () => {
    last().fire('error')
    vi.advanceTimersByTime(60_000)
    expect(sources).toHaveLength(1)
    refreshed.length = 0
    last().readyState = 2
    last().fire('error')
    expect(refreshed).toEqual([['profile']])
    vi.advanceTimersByTime(1000)
    expect(sources).toHaveLength(2)
  })

  it('is quiet after the end', () => {
    last().readyState = 2
    last().fire('error')
    last().fire('message', online(1))
    end()
    refreshed.length = 0
    vi.advanceTimersByTime(120_000)
    expect(last().isClosed).toBe(true)
    expect(sources).toHaveLength(1)
    expect(refreshed).toEqual([])
  })
})
