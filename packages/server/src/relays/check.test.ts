import type { Route } from '@homeport/contract/control'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { addDevice, openTestRooms, refusalOf, type TestRooms } from '../devices/testing.ts'
import { checkConnection } from './check.ts'
import type { ProbeAnswer } from './hub.ts'
import type { LookupResult } from './name-lookup.ts'
import { attachTestRelay, sessionOf } from './testing.ts'

type Steps = NonNullable<ProbeAnswer>

const passed = (step: Steps[number]['step']) =>
  ({ step, ok: true, ms: 1, code: 'ok', hint: '' }) as const
const refused: Steps = [
  passed('device'),
  { step: 'target', ok: false, ms: 2, code: 'target_refused', hint: '内网服务拒绝了连接。' },
  { step: 'response', ok: null, ms: null, code: '', hint: '' },
]

describeOnEveryEngine('connection check', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let nas: { id: number; uid: string }
  let record: number
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    ann = await rooms.addUser('ann')
    nas = await addDevice(rooms, ann, 'nas')
    const target = 'http://192.168.1.2:80'
    record = (
      await rooms.records.create(ann, { kind: 'http', target, name: 'nas', router: nas.id })
    ).id
  })
  afterEach(() => rooms.close())

  function check(
    options: { language?: 'zh' | 'en'; found?: LookupResult; owner?: UserId; device?: number } = {},
  ) {
    const { language = 'zh', found = 'found', owner = ann, device = nas.id } = options
    const parts = { context: rooms.context, hub: rooms.hub, lookUpName: async () => found }
    return checkConnection(parts, { owner, device, record, language })
  }

  async function attach(answerProbe: (route: Route) => Steps) {
    const relay = attachTestRelay(rooms.hub, answerProbe)
    await relay.hello(sessionOf(nas.uid))
    return relay
  }

  const shortOf = (answer: Awaited<ReturnType<typeof check>>) =>
    answer.steps.map(({ step, ok, code }) => `${step} ${ok} ${code}`.trim())

  it('passes all five steps by a real probe of the record', async () => {
    const relay = await attach(() => [passed('device'), passed('target'), passed('response')])
    const answer = await check()
    expect(answer.ok).toBe(true)
    expect(shortOf(answer)).toEqual([
      'dns true ok',
      'relay true ok',
      'device true ok',
      'target true ok',
      'response true ok',
    ])
    expect(relay.probed).toMatchObject([{ record, device: nas.uid, host: 'nas.localhost' }])
  })

  it('stops at a name without an address', async () => {
    await attach(() => [passed('device'), passed('target'), passed('response')])
    const answer = await check({ found: 'missing' })
    expect(answer.ok).toBe(false)
    expect(shortOf(answer)).toEqual([
      'dns false dns_missing',
      'relay null',
      'device null',
      'target null',
      'response null',
    ])
    expect(answer.steps[0]?.hint).toMatch(/解析/)
    expect(shortOf(await check({ found: 'silent' }))[0]).toBe('dns false dns_silent')
  })

  it('stops at the relay where none is connected', async () => {
    expect(shortOf(await check())).toEqual([
      'dns true ok',
      'relay false relay_unavailable',
      'device null',
      'target null',
      'response null',
    ])
  })

  it('stops at the relay where it leads nobody there', async () => {
    const relay = await attach(() => [passed('device'), passed('target'), passed('response')])
    await rooms.devices.patch(ann, nas.id, { paused: true })
    expect(shortOf(await check())[1]).toBe('relay false device_paused')
    await rooms.records.patch(ann, record, { enabled: false })
    expect(shortOf(await check())[1]).toBe('relay false record_disabled')
    expect(relay.probed).toEqual([])
  })

  it('stops at a device that is offline without asking the relay', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello()
    expect(shortOf(await check())).toEqual([
      'dns true ok',
      'relay true ok',
      'device false device_offline',
      'target null',
      'response null',
    ])
    expect(relay.probed).toEqual([])
  })

  it('tells the step at which the probe failed, in the asker’s language', async () => {
    await attach(() => refused)
    const zh = await check()
    expect(shortOf(zh)).toEqual([
      'dns true ok',
      'relay true ok',
      'device true ok',
      'target false target_refused',
      'response null',
    ])
    expect(zh.steps[3]?.hint).toBe('内网服务拒绝了连接。')
    expect((await check({ language: 'en' })).steps[3]?.hint).toMatch(/refused the connection/)
  })

  it('stops at the relay where it is lost before it answers the probe', async () => {
    const relay = await attach(() => {
      relay.peer.close()
      return []
    })
    expect(shortOf(await check())[1]).toBe('relay false relay_unavailable')
  })

  it('knows no record of somebody else, nor one of another device', async () => {
    const bob = await rooms.addUser('bob')
    const bobs = await addDevice(rooms, bob, 'pc')
    const own = await addDevice(rooms, ann, 'second')
    for (const asked of [
      () => check({ owner: bob }),
      () => check({ owner: bob, device: bobs.id }),
      () => check({ device: own.id }),
      () => check({ device: 999_999 }),
    ]) {
      expect((await refusalOf(asked())).code).toBe('not_found')
    }
  })
})
