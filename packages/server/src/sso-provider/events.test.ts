import { createManualClock, type ManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { deriveKeys } from '../keys.ts'
import { createSsoEvents, eventKeptMs, type SsoEvents, type SsoPoll } from './events.ts'
import { createPollPlaces, pollsPerAddressLimit, pollsPerBrowserLimit } from './poll-places.ts'

const place = { category: `weixin-oauth-${'a'.repeat(22)}`, binding: 'mine' }
const scanned = { state: 'scanned', number: '1234' } as const
const confirmed = { state: 'confirmed', code: 'secret' } as const

describeOnEveryEngine('events of sign-ons', openTestDatabase => {
  let database: OpenDatabase
  let clock: ManualClock
  let events: SsoEvents
  beforeEach(async () => {
    database = await openTestDatabase()
    clock = createManualClock()
    events = openEvents()
  })
  afterEach(async () => {
    events.close()
    await database.close()
  })

  const openEvents = (limit?: number) =>
    createSsoEvents({ db: database.db, clock, keys: deriveKeys(Buffer.alloc(32, 7)) }, limit)
  const poll = (changes: Partial<SsoPoll> = {}, at = events) =>
    at.poll({
      ...place,
      limitKey: '192.0.2.1',
      sinceTime: clock.now(),
      timeoutSeconds: 30,
      onGone: () => undefined,
      ...changes,
    })
  const dataOf = async (answer: ReturnType<typeof poll>) => {
    const given = await answer
    if (!('events' in given)) throw new Error('nothing came')
    return given.events.map(event => event.data)
  }
  const nothing = () => ({ timeout: 30, timestamp: clock.now() })
  /** The answer of a poll that is in vain: the clock moves to its end once it waits. */
  async function pollInVain(changes: Partial<SsoPoll> = {}) {
    const answer = poll(changes)
    // The rows are read before this one is.
    await events.list(place)
    clock.advance(30_000)
    return answer
  }

  it('gives what comes while it waits, and what came before', async () => {
    const waiting = poll()
    await events.publish(place, scanned)
    expect(await waiting).toEqual({
      events: [{ timestamp: clock.now(), category: place.category, data: scanned }],
    })
    await events.publish(place, confirmed)
    expect(await dataOf(poll({ sinceTime: clock.now() + 1 }))).toEqual([scanned, confirmed])
  })

  it('answers with its seconds and the time of the server when nothing comes', async () => {
    expect(await pollInVain()).toEqual(nothing())
    const short = poll({ timeoutSeconds: 1 })
    clock.advance(1_000)
    expect(await short).toEqual({ timeout: 1, timestamp: clock.now() })
    expect([events.count(), clock.waitingCount()]).toEqual([0, 0])
  })

  it.each([
    ['right', 0],
    ['fast by a year', 365 * 24 * 60 * 60 * 1000],
    ['slow by a year', -365 * 24 * 60 * 60 * 1000],
  ])('loses nothing between two polls of a browser whose clock is %s', async (_, aheadMs) => {
    expect(await pollInVain({ sinceTime: clock.now() + aheadMs })).toEqual(nothing())
    await events.publish(place, confirmed)
    clock.advance(200)
    expect(await dataOf(poll({ sinceTime: clock.now() + aheadMs }))).toEqual([confirmed])
  })

  it('loses nothing that comes in the very moment a poll begins', async () => {
    for (let round = 0; round < 50; round += 1) {
      const each = { ...place, category: `weixin-oauth-${String(round).padStart(22, '0')}` }
      const order = round % 2 === 0
      const asked = order ? poll(each) : undefined
      const published = events.publish(each, confirmed)
      expect(await dataOf(asked ?? poll(each))).toEqual([confirmed])
      await published
    }
  })

  it('repeats an event whose answer may be lost, at the earliest a second later', async () => {
    await events.publish(place, scanned)
    expect(await dataOf(poll())).toEqual([scanned])
    const again = poll({ sinceTime: clock.now() + 5 })
    await events.list(place)
    clock.advance(999)
    await events.list(place)
    expect(events.count()).toBe(1)
    clock.advance(1)
    expect(await dataOf(again)).toEqual([scanned])
  })

  it('does not repeat it to a browser that names its timestamp', async () => {
    await events.publish(place, scanned)
    const first = await poll()
    const sinceTime = 'events' in first ? (first.events[0]?.timestamp ?? 0) : 0
    clock.advance(5_000)
    expect(await pollInVain({ sinceTime })).toEqual(nothing())
    await events.publish(place, confirmed)
    expect(await dataOf(poll({ sinceTime }))).toEqual([confirmed])
  })

  it('keeps two events of one millisecond apart', async () => {
    await events.publish(place, scanned)
    const sinceTime = clock.now()
    expect(await dataOf(poll({ sinceTime }))).toEqual([scanned])
    await events.publish(place, confirmed)
    expect(await dataOf(poll({ sinceTime }))).toEqual([confirmed])
  })

  it.each([
    ['another browser', { binding: 'other' }],
    ['another category', { category: `weixin-oauth-${'b'.repeat(22)}` }],
  ])('answers %s as if nothing had come', async (_, changes) => {
    await events.publish(place, confirmed)
    expect(await pollInVain(changes)).toEqual(nothing())
    const during = poll(changes)
    await events.publish(place, confirmed)
    clock.advance(30_000)
    expect(await during).toEqual(nothing())
  })

  it('keeps an event for 5 minutes, and then not even its row', async () => {
    await events.publish(place, confirmed)
    clock.advance(eventKeptMs - 1)
    expect(await events.list(place)).toEqual([confirmed])
    clock.advance(1)
    expect(await events.list(place)).toEqual([])
    await events.removeOld()
    expect(await database.db.selectFrom('sso_events').selectAll().execute()).toEqual([])
  })

  it('keeps no code that a thief of the table could read', async () => {
    await events.publish(place, confirmed)
    const [row] = await database.db.selectFrom('sso_events').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain('secret')
    await database.db.updateTable('sso_events').set({ binding: 'other' }).execute()
    await expect(poll({ binding: 'other' })).rejects.toThrow()
    expect(events.count()).toBe(0)
  })

  it('outlives the process: another server gives what this one kept', async () => {
    const waiting = poll()
    events.close()
    expect(await waiting).toEqual(nothing())
    await events.publish(place, confirmed)
    expect(await poll()).toEqual(nothing())
    events = openEvents()
    expect(await dataOf(poll())).toEqual([confirmed])
  })

  it('answers every page of one sign-on, and no other', async () => {
    const older = poll()
    const neighbour = poll({ binding: 'other' })
    const newer = poll()
    expect(events.count()).toBe(3)
    // An event of the very moment a page names may be one that it has had.
    clock.advance(1)
    await events.publish(place, confirmed)
    expect([await dataOf(older), await dataOf(newer)]).toEqual([[confirmed], [confirmed]])
    expect(events.count()).toBe(1)
    clock.advance(29_999)
    expect(await neighbour).toEqual(nothing())
  })

  it('frees the place of a caller that has hung up', async () => {
    let hangUp: () => void = () => undefined
    const waiting = poll({
      onGone: listener => {
        hangUp = listener
      },
    })
    hangUp()
    await waiting
    expect([events.count(), clock.waitingCount()]).toEqual([0, 0])
    await events.publish(place, confirmed)
    expect(await dataOf(poll())).toEqual([confirmed])
  })

  it('holds the bound for all, and says when to try again', async () => {
    events = openEvents(2)
    const binding = (index: number) => ({ binding: `browser-${index}` })
    const waiting = [poll(binding(1)), poll(binding(2))]
    await expect(poll(binding(3))).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 5 })
    clock.advance(30_000)
    await Promise.all(waiting)
    const later = poll(binding(3))
    clock.advance(30_000)
    expect(await later).toEqual(nothing())
  })
})

describe('places of polls', () => {
  const seekerOf = (limitKey: string, binding: string) => ({
    limitKey,
    binding,
    end: () => undefined,
  })
  const busy = expect.objectContaining({ code: 'busy' })

  it.each([
    ['one address', pollsPerAddressLimit, () => '192.0.2.1'],
    ['all', 300, (index: number) => `192.0.2.${index}`],
  ])('are bounded for %s, and free again', (_, limit, addressOf) => {
    const places = createPollPlaces(300)
    const take = (index: number) => places.take(seekerOf(addressOf(index), `browser-${index}`))
    const leave = Array.from({ length: limit }, (_, index) => take(index))
    expect(() => take(limit)).toThrow(busy)
    if (limit < 300) expect(places.take(seekerOf('198.51.100.1', 'other'))).toBeTypeOf('function')
    // Freed twice by mistake: still one place.
    leave[0]?.()
    leave[0]?.()
    take(0)
    expect(() => take(limit)).toThrow(busy)
  })

  it('of one browser the oldest makes room, and nobody else', () => {
    const places = createPollPlaces()
    const ended: string[] = []
    const take = (name: string, binding: string) => {
      const leave: () => void = places.take({
        limitKey: '192.0.2.1',
        binding,
        end: () => {
          ended.push(name)
          leave()
        },
      })
    }
    take('neighbour', 'other')
    for (let index = 0; index < pollsPerBrowserLimit + 2; index += 1) take(`poll-${index}`, 'mine')
    expect(ended).toEqual(['poll-0', 'poll-1'])
    expect(places.count()).toBe(pollsPerBrowserLimit + 1)
  })
})
