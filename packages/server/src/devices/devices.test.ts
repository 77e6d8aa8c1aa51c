import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { attachTestRelay, sessionOf } from '../relays/testing.ts'
import { deviceLimit } from './policy.ts'
import { addDevice, factsOf, openTestRooms, refusalOf, type TestRooms } from './testing.ts'

const all = { search: '', ordering: 'name', limit: 500, offset: 0 } as const

describeOnEveryEngine('devices', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let bob: UserId
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    ann = await rooms.addUser('ann')
    bob = await rooms.addUser('bob')
  })
  afterEach(() => rooms.close())

  const namesOf = async (query: Partial<Parameters<TestRooms['devices']['list']>[1]>) =>
    (await rooms.devices.list(ann, { ...all, ...query })).results.map(({ name }) => name)

  const addHttp = (owner: UserId, router: number, name: string) =>
    rooms.records.create(owner, { kind: 'http', target: 'http://10.0.0.2:80', name, router })

  it('lists own devices with their own records', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const pc = await addDevice(rooms, ann, 'pc')
    const other = await addDevice(rooms, bob, 'other')
    const records = [await addHttp(ann, nas.id, 'a1'), await addHttp(ann, nas.id, 'a2')]
    await addHttp(bob, other.id, 'b1')
    const list = await rooms.devices.list(ann, all)
    expect(list).toMatchObject({ count: 2, next: null, previous: null })
    expect(list.results.map(({ id, records }) => ({ id, records }))).toEqual([
      { id: nas.id, records },
      { id: pc.id, records: [] },
    ])
    expect(list.results[0]).toMatchObject({
      uid: nas.uid,
      name: 'nas',
      remark: '',
      model: 'x86',
      agent_version: '0.1.0',
      status: 'offline',
      server: null,
      public_ip: '203.0.113.5',
      last_seen_at: null,
      paused: false,
      created_at: '2026-11-20T12:00:00.000Z',
    })
  })

  it('finds devices by name, remark, model and uid, taking signs of patterns literally', async () => {
    const nas = await addDevice(rooms, ann, 'NAS 100%')
    const pc = await addDevice(rooms, ann, 'pc_1')
    await addDevice(rooms, ann, 'pcx1')
    await rooms.devices.patch(ann, pc.id, { remark: '书房 back\\slash' })
    expect(await namesOf({ search: 'nas' })).toEqual(['NAS 100%'])
    expect(await namesOf({ search: '100%' })).toEqual(['NAS 100%'])
    expect(await namesOf({ search: '%' })).toEqual(['NAS 100%'])
    expect(await namesOf({ search: 'c_1' })).toEqual(['pc_1'])
    expect(await namesOf({ search: '书房' })).toEqual(['pc_1'])
    expect(await namesOf({ search: 'k\\s' })).toEqual(['pc_1'])
    expect(await namesOf({ search: 'X86' })).toHaveLength(3)
    expect(await namesOf({ search: nas.uid })).toEqual(['NAS 100%'])
    expect(await namesOf({ search: "' or 1=1 --" })).toEqual([])
  })

  it('orders and pages, with the addresses of the neighbours', async () => {
    for (const name of ['c', 'a', 'b']) {
      await addDevice(rooms, ann, name)
      rooms.clock.advance(1)
    }
    expect(await namesOf({})).toEqual(['a', 'b', 'c'])
    expect(await namesOf({ ordering: '-name' })).toEqual(['c', 'b', 'a'])
    expect(await namesOf({ ordering: 'created_at' })).toEqual(['c', 'a', 'b'])
    expect(await namesOf({ ordering: '-last_seen_at' })).toEqual(['b', 'a', 'c'])
    const page = await rooms.devices.list(ann, { ...all, limit: 1, offset: 1, search: 'x86' })
    expect(page).toMatchObject({
      count: 3,
      next: '/api/user/routers/?search=x86&ordering=name&limit=1&offset=2',
      previous: '/api/user/routers/?search=x86&ordering=name&limit=1&offset=0',
      results: [{ name: 'b' }],
    })
    const last = await rooms.devices.list(ann, { ...all, limit: 2, offset: 2 })
    expect(last).toMatchObject({ next: null, results: [{ name: 'c' }] })
  })

  it('puts a device that was never seen before those that were', async () => {
    const seen = await addDevice(rooms, ann, 'seen')
    await addDevice(rooms, ann, 'new')
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(seen.uid))
    await rooms.hub.settled()
    expect(await namesOf({ ordering: 'last_seen_at' })).toEqual(['new', 'seen'])
    expect(await namesOf({ ordering: '-last_seen_at' })).toEqual(['seen', 'new'])
  })

  it('tells that another machine knocks with the key of a device, as long as it does', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    const isShared = async () => (await rooms.devices.list(ann, all)).results[0]?.is_key_shared
    expect(await isShared()).toBe(false)
    const shared = sessionOf(nas.uid, { shared_at: rooms.clock.now() })
    relay.peer.notify('session_opened', shared)
    await rooms.hub.settled()
    await expect.poll(isShared).toBe(true)
    rooms.clock.advance(3 * 60_000)
    expect(await isShared()).toBe(false)
  })

  it('picks one device by id, and never one of somebody else', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const other = await addDevice(rooms, bob, 'other')
    await addDevice(rooms, ann, 'pc')
    expect(await namesOf({ id: nas.id })).toEqual(['nas'])
    expect(await namesOf({ id: other.id })).toEqual([])
  })

  it('changes named fields only', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    await rooms.devices.patch(ann, nas.id, { remark: 'attic' })
    const changed = await rooms.devices.patch(ann, nas.id, { name: 'store' })
    expect(changed).toMatchObject({ name: 'store', remark: 'attic', paused: false })
    expect(await rooms.devices.patch(ann, nas.id, {})).toEqual(changed)
  })

  it('neither changes nor deletes the device of somebody else', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    await addHttp(ann, nas.id, 'nas')
    for (const change of [{}, { name: 'mine' }, { paused: true }]) {
      const patch = rooms.devices.patch(bob, nas.id, change)
      expect((await refusalOf(patch)).code).toBe('not_found')
    }
    expect((await refusalOf(rooms.devices.remove(bob, nas.id))).code).toBe('not_found')
    expect(await rooms.devices.list(ann, all)).toMatchObject({
      results: [{ name: 'nas', paused: false, records: [{ name: 'nas' }] }],
    })
  })

  it('unbinds: key, records and pairing go, names stay with the user, relays hear it', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const others = await addDevice(rooms, bob, 'pc')
    await addHttp(ann, nas.id, 'nas')
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    expect(await relay.peer.request('device_key', { device: nas.uid })).not.toBeNull()
    await rooms.devices.remove(ann, nas.id)
    await relay.hasHeard(2)
    expect(relay.told).toEqual([
      { method: 'device_revoked', device: nas.uid, code: 'deleted' },
      { method: 'routes_changed', keys: [{ kind: 'host', host: 'nas.localhost' }] },
    ])
    expect(await relay.peer.request('device_key', { device: nas.uid })).toBeNull()
    expect(await namesOf({})).toEqual([])
    expect(await rooms.db.selectFrom('records').selectAll().execute()).toEqual([])
    expect((await refusalOf(addHttp(bob, others.id, 'nas'))).code).toBe('name_taken')
    const again = await addDevice(rooms, ann, 'nas')
    expect(again.uid).not.toBe(nas.uid)
    expect((await addHttp(ann, again.id, 'nas')).name).toBe('nas')
  })

  it('pauses: what flows is ended, nothing leads there, its key stays good', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    await addHttp(ann, nas.id, 'nas')
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    const key = { kind: 'host', host: 'nas.localhost' } as const
    await rooms.devices.patch(ann, nas.id, { paused: true })
    await relay.hasHeard(2)
    expect(relay.told).toEqual([
      { method: 'routes_changed', keys: [key] },
      { method: 'device_revoked', device: nas.uid, code: 'paused' },
    ])
    expect(await relay.peer.request('resolve', key)).toMatchObject({ code: 'device_paused' })
    expect(await relay.peer.request('device_key', { device: nas.uid })).not.toBeNull()
    await rooms.devices.patch(ann, nas.id, { paused: false })
    expect(await relay.peer.request('resolve', key)).toMatchObject({ allow: true })
  })

  it('limits devices per user, also when they race', async () => {
    const { token } = await rooms.accounts.getProfile(ann)
    const row = (index: number) => ({
      ...factsOf(`d${index}`),
      uid: `uid-${index}`,
      user_id: ann,
      remark: '',
      public_ip: '',
      lan_ip: '',
      paused: 0,
      created_at: 0,
    })
    const rows = Array.from({ length: deviceLimit - 2 }, (_, index) => row(index))
    for (let start = 0; start < rows.length; start += 100) {
      await rooms.db
        .insertInto('devices')
        .values(rows.slice(start, start + 100))
        .execute()
    }
    const pair = (seed: string) => rooms.pairings.pair(token, factsOf(seed), '203.0.113.5')
    const outcomes = await Promise.allSettled(['x1', 'x2', 'x3', 'x4'].map(pair))
    const codes = outcomes.map(outcome =>
      outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { code: string }).code,
    )
    expect(codes.toSorted()).toEqual(['device_limit', 'device_limit', 'done', 'done'])
    expect((await rooms.devices.list(ann, all)).count).toBe(deviceLimit)
    // A device that is there already may pair again, and everybody else is not concerned.
    expect(await pair('d0')).toEqual({ uid: 'uid-0' })
    expect((await addDevice(rooms, bob, 'other')).uid).toMatch(/^[\w-]{22}$/)
  })

  it('tells of a name all to its owner and little to others', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const record = await addHttp(ann, nas.id, 'nas')
    const own = await rooms.devices.describeName(ann, 'nas.localhost:8080')
    expect(own).toEqual({
      domain: 'nas.localhost:8080',
      reason: 'offline',
      device_name: 'nas',
      owner: 'ann',
      online: false,
      access: ['owner'],
      router: nas.id,
      record: record.id,
    })
    expect(await rooms.devices.describeName(bob, 'nas.localhost')).toEqual({
      domain: 'nas.localhost',
      reason: 'denied',
      device_name: 'nas',
      owner: 'a*',
      online: false,
      access: ['owner'],
      router: null,
      record: null,
    })
  })

  it('gives the reason why a name does not lead anywhere', async () => {
    const nas = await addDevice(rooms, ann, 'nas')
    const record = await addHttp(ann, nas.id, 'nas')
    const reasons = async () => [
      (await rooms.devices.describeName(ann, 'nas.localhost')).reason,
      (await rooms.devices.describeName(bob, 'nas.localhost')).reason,
    ]
    expect(await reasons()).toEqual(['offline', 'denied'])
    await rooms.records.patch(ann, record.id, { access: ['public'] })
    expect(await reasons()).toEqual(['offline', 'offline'])
    await attachTestRelay(rooms.hub).hello(sessionOf(nas.uid))
    expect(await reasons()).toEqual(['ok', 'ok'])
    await rooms.devices.patch(ann, nas.id, { paused: true })
    expect(await reasons()).toEqual(['paused', 'paused'])
    await rooms.records.patch(ann, record.id, { enabled: false })
    expect(await reasons()).toEqual(['disabled', 'unknown'])
    for (const domain of ['free.localhost', 'a.nas.localhost', 'nas.example', 'localhost', '::1']) {
      expect(await rooms.devices.describeName(ann, domain)).toEqual({
        domain,
        reason: 'unknown',
        device_name: null,
        owner: null,
        online: null,
        access: [],
        router: null,
        record: null,
      })
    }
  })
})
