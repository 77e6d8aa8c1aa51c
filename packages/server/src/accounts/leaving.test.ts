import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeOnEveryEngine } from '../db/testing.ts'
import { addDevice, factsOf, openTestRooms, type TestRooms } from '../devices/testing.ts'
import { attachTestRelay } from '../relays/testing.ts'
import { createLeaving, type Leaving, leavingMs } from './leaving.ts'
import type { UserId } from './user-id.ts'
import { updateUser } from './user-store.ts'

const dayMs = 24 * 60 * 60 * 1000

describeOnEveryEngine('an account that leaves', openTestDatabase => {
  let rooms: TestRooms
  let leaving: Leaving
  let owner: UserId
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    leaving = createLeaving(rooms.context, rooms)
    owner = await rooms.addUser('li')
  })
  afterEach(() => rooms.close())

  const host = 'nas.localhost'
  async function publish() {
    const device = await addDevice(rooms, owner, 'nas')
    const record = await rooms.records.create(owner, {
      router: device.id,
      name: 'nas',
      kind: 'http',
      target: 'http://192.168.1.2:80',
    })
    const port = await rooms.records.create(owner, {
      router: device.id,
      name: 'ssh',
      kind: 'tcp',
      target: 'tcp://192.168.1.2:22',
      access: ['public'],
    })
    return { device, record, port: port.port ?? 0 }
  }

  it('is switched off at once, and as it was after a restoration', async () => {
    const { device, port } = await publish()
    const relay = attachTestRelay(rooms.hub)
    const { token } = await rooms.accounts.getProfile(owner)
    const session = await rooms.sessions.start(owner, { address: '', userAgent: '' }, null)
    const stranger = await rooms.addUser('wang')

    const look = async () => ({
      byName: (await relay.peer.request('resolve', { kind: 'host', host })).allow,
      byPort: (await relay.peer.request('resolve', { kind: 'port', port })).allow,
      ports: (await relay.hello()).ports,
      key: await relay.peer.request('device_key', { device: device.uid }),
      byToken: await rooms.accounts.findUserByToken(token),
      told: (await rooms.devices.describeName(stranger, host)).reason,
    })
    const before = await look()
    expect(before).toMatchObject({
      byName: true,
      byPort: true,
      ports: [port],
      key: { public_key: factsOf('nas').public_key },
      byToken: owner,
      told: 'denied',
    })

    const told = relay.told.length
    expect(await leaving.begin(owner)).toBe(rooms.clock.now() + leavingMs)
    await relay.hasHeard(told + 2)
    expect(relay.told.slice(told)).toEqual([
      { method: 'routes_changed', keys: expect.arrayContaining([{ kind: 'host', host }]) },
      { method: 'device_revoked', device: device.uid, code: 'paused' },
    ])
    expect(await look()).toEqual({
      byName: false,
      byPort: false,
      ports: [],
      key: 'suspended',
      byToken: null,
      told: 'unknown',
    })
    expect(await rooms.sessions.findActor(session)).toBe(null)
    // One that slips in behind the end of all is as dead.
    const late = await rooms.sessions.start(owner, { address: '', userAgent: '' }, null)
    expect(await rooms.sessions.findActor(late)).toBe(null)

    expect(await leaving.restore(owner)).toBe(true)
    expect(await look()).toEqual(before)
    expect(await rooms.sessions.findActor(late)).toBe(null)
    expect(await leaving.restore(owner)).toBe(false)
    relay.peer.close()
  })

  it('keeps the day of its first wish', async () => {
    const first = await leaving.begin(owner)
    rooms.clock.advance(dayMs)
    expect(await leaving.begin(owner)).toBe(first)
    expect(await leaving.deletesAt(owner)).toBe(first)
  })

  it('is removed when its time is over, and its names rest for nobody but 30 days', async () => {
    const { device } = await publish()
    const relay = attachTestRelay(rooms.hub)
    await relay.hello()
    await leaving.begin(owner)
    rooms.clock.advance(leavingMs - 1)
    expect(await leaving.removeDue()).toBe(0)
    expect(await leaving.deletesAt(owner)).not.toBe(null)
    rooms.clock.advance(1)
    expect(await leaving.removeDue()).toBe(1)
    expect(await leaving.removeDue()).toBe(0)
    expect(await relay.peer.request('device_key', { device: device.uid })).toBe(null)
    for (const table of ['devices', 'records', 'sessions', 'issued_tokens'] as const) {
      const rows = await rooms.db
        .selectFrom(table)
        .selectAll()
        .where('user_id', '=', owner)
        .execute()
      expect(rows).toEqual([])
    }
    const heir = await rooms.addUser('wang')
    const other = await addDevice(rooms, heir, 'other')
    const take = () =>
      rooms.records.create(heir, {
        router: other.id,
        name: 'nas',
        kind: 'http',
        target: 'http://192.168.1.2:80',
      })
    await expect(take()).rejects.toMatchObject({ code: 'name_taken' })
    rooms.clock.advance(30 * dayMs)
    expect((await take()).name).toBe('nas')
    relay.peer.close()
  })

  it('is removed a few at a time', async () => {
    for (let n = 1; n <= 20; n += 1) await leaving.begin(await rooms.addUser(`user-${n}`))
    await leaving.begin(owner)
    rooms.clock.advance(leavingMs)
    expect([await leaving.removeDue(), await leaving.removeDue()]).toEqual([20, 1])
  })

  it('is removed also where one before it cannot be', async () => {
    await publish()
    await leaving.begin(owner)
    rooms.clock.advance(1)
    const next = await rooms.addUser('wang')
    await leaving.begin(next)
    rooms.clock.advance(leavingMs)
    const releaseAll: TestRooms['records']['releaseAll'] = async () => {
      throw new Error('the database gave up')
    }
    const stuck = createLeaving(rooms.context, {
      ...rooms,
      records: { ...rooms.records, releaseAll },
    })
    expect(await stuck.removeDue()).toBe(1)
    expect(await leaving.removeDue()).toBe(1)
  })

  it('is restored or removed in a race, never half of each', async () => {
    const { device } = await publish()
    await leaving.begin(owner)
    rooms.clock.advance(leavingMs)
    const [restored, removed] = await Promise.allSettled([
      leaving.restore(owner),
      leaving.removeDue(),
    ])
    const isRestored = restored.status === 'fulfilled' && restored.value
    expect(removed).toEqual({ status: 'fulfilled', value: isRestored ? 0 : 1 })
    const rows = await rooms.db.selectFrom('devices').select('uid').execute()
    expect(rows).toEqual(isRestored ? [{ uid: device.uid }] : [])
  })

  it('is never the last administrator, also where two leave at once', async () => {
    await updateUser(rooms.db, owner, { is_superuser: 1 })
    await expect(leaving.begin(owner)).rejects.toMatchObject({ code: 'last_administrator' })
    const second = await rooms.addUser('wang')
    await updateUser(rooms.db, second, { is_superuser: 1 })
    const ways = await Promise.allSettled([leaving.begin(owner), leaving.begin(second)])
    expect(ways.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })
})
