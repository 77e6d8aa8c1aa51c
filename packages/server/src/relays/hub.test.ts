import { ticketLifetimeMs } from '@homeport/contract/gate'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { addDevice, factsOf, openTestRooms, type TestRooms } from '../devices/testing.ts'
import { builtInRelayId } from './hub.ts'
import { attachTestRelay, sessionOf } from './testing.ts'

const hourMs = 60 * 60 * 1000

describeOnEveryEngine('relay hub', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let nas: { id: number; uid: string }
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    ann = await rooms.addUser('ann')
    nas = await addDevice(rooms, ann, 'nas')
    rooms.events.length = 0
  })
  afterEach(() => rooms.close())

  const rowOf = () =>
    rooms.db.selectFrom('devices').selectAll().where('id', '=', nas.id).executeTakeFirstOrThrow()
  const event = (status: 'online' | 'offline') => ({
    user: ann,
    event: { type: 'router', id: nas.id, status },
  })
  const addHttp = (name: string) =>
    rooms.records.create(ann, {
      kind: 'http',
      target: 'http://192.168.1.2:80',
      name,
      router: nas.id,
    })
  const addTcp = (name: string, enabled = true) =>
    rooms.records.create(ann, {
      kind: 'tcp',
      target: 'tcp://192.168.1.2:22',
      access: ['public'],
      name,
      enabled,
      router: nas.id,
    })

  it('answers hello with the keys, the place, ended sessions and open ports', async () => {
    const place = { address: '192.0.2.1', userAgent: 'test' }
    const session = await rooms.sessions.start(ann, place, null)
    const actor = await rooms.sessions.findActor(session)
    await rooms.sessions.endAll(ann, null)
    const open = await addTcp('ssh')
    await addTcp('off', false)
    expect(await attachTestRelay(rooms.hub).hello()).toEqual({
      gate_key: rooms.context.keys.gate.toString('base64url'),
      console_url: 'http://localhost:8080',
      now: rooms.clock.now(),
      tunnel_domain: 'localhost',
      ended_sessions: [actor?.sessionPublicId],
      ports: [open.port],
    })
    rooms.clock.advance(12 * hourMs + ticketLifetimeMs)
    expect(await attachTestRelay(rooms.hub).hello()).toMatchObject({ ended_sessions: [] })
  })

  it('counts a device as online from the moment its session opens', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello()
    expect(rooms.hub.isOnline(nas.uid)).toBe(false)
    relay.peer.notify('session_opened', sessionOf(nas.uid))
    await relay.peer.request('device_key', { device: nas.uid })
    await rooms.hub.settled()
    expect(rooms.hub.serverOf(nas.uid)).toBe(builtInRelayId)
    expect(rooms.hub.sessionOf(nas.uid)).toEqual(sessionOf(nas.uid))
    expect(rooms.hub.countSessions()).toBe(1)
    expect(await rowOf()).toMatchObject({
      agent_version: '1.2.3',
      model: 'box',
      public_ip: '203.0.113.9',
      lan_ip: '192.168.1.9',
      last_seen_at: rooms.clock.now(),
    })
    expect(rooms.events).toEqual([event('online')])
  })

  it('keeps the model that pairing told where a session tells none', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid, { model: '' }))
    await rooms.hub.settled()
    expect((await rowOf()).model).toBe(factsOf('nas').model)
  })

  it('counts it as offline when the session closes, and remembers when', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    await rooms.hub.settled()
    rooms.clock.advance(5000)
    relay.peer.notify('session_closed', { device: nas.uid, session: 's1', reason: 'link_lost' })
    await relay.peer.request('device_key', { device: nas.uid })
    await rooms.hub.settled()
    expect(rooms.hub.isOnline(nas.uid)).toBe(false)
    expect((await rowOf()).last_seen_at).toBe(rooms.clock.now())
    expect(rooms.events).toEqual([event('online'), event('offline')])
  })

  it('does not take a late word about an old session for the new one', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid, { session: 'old' }))
    relay.peer.notify('session_opened', sessionOf(nas.uid, { session: 'new' }))
    relay.peer.notify('session_closed', { device: nas.uid, session: 'old', reason: 'link_lost' })
    await relay.peer.request('device_key', { device: nas.uid })
    await rooms.hub.settled()
    expect(rooms.hub.sessionOf(nas.uid)?.session).toBe('new')
    expect(rooms.events.at(-1)).toEqual(event('online'))
  })

  it('counts everybody on a lost relay as offline', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    await rooms.hub.settled()
    relay.peer.close()
    await relay.peer.closed
    await expect.poll(() => rooms.events).toEqual([event('online'), event('offline')])
    expect(rooms.hub.isOnline(nas.uid)).toBe(false)
    expect(rooms.hub.anyRelayOnline()).toBe(false)
  })

  it('lets a relay that comes back take its devices over from its lost link', async () => {
    const before = attachTestRelay(rooms.hub)
    await before.hello(sessionOf(nas.uid))
    const after = attachTestRelay(rooms.hub)
    await after.hello(sessionOf(nas.uid))
    before.peer.close()
    await before.peer.closed
    await after.peer.request('device_key', { device: nas.uid })
    await rooms.hub.settled()
    expect(rooms.hub.isOnline(nas.uid)).toBe(true)
    expect(rooms.events.map(({ event }) => event)).not.toContainEqual(event('offline').event)
  })

  it('takes the list of a new hello for complete', async () => {
    const pc = await addDevice(rooms, ann, 'pc')
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid), sessionOf(pc.uid))
    await relay.hello(sessionOf(pc.uid))
    expect(rooms.hub.isOnline(nas.uid)).toBe(false)
    expect(rooms.hub.isOnline(pc.uid)).toBe(true)
  })

  it('ends the session of a device that was deleted meanwhile', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf('gone'))
    await relay.hasHeard(1)
    expect(relay.told).toEqual([{ method: 'device_revoked', device: 'gone', code: 'deleted' }])
  })

  it('gives the key of a bound device and none of any other', async () => {
    const { peer } = attachTestRelay(rooms.hub)
    expect(await peer.request('device_key', { device: nas.uid })).toEqual({
      public_key: factsOf('nas').public_key,
    })
    expect(await peer.request('device_key', { device: 'gone' })).toBeNull()
  })

  it('resolves a name to its route', async () => {
    const record = await addHttp('nas')
    const { peer } = attachTestRelay(rooms.hub)
    const decision = await peer.request('resolve', { kind: 'host', host: 'nas.localhost' })
    expect(decision).toEqual({
      allow: true,
      max_age_ms: 600_000,
      route: {
        record: record.id,
        device: nas.uid,
        device_id: nas.id,
        owner: ann,
        kind: 'http',
        host: 'nas.localhost',
        port: null,
        target: 'http://192.168.1.2:80',
        access: ['owner'],
        options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
      },
    })
  })

  it('resolves a port to its tcp record, whose name is no http host', async () => {
    const record = await addTcp('ssh')
    const { peer } = attachTestRelay(rooms.hub)
    const byPort = await peer.request('resolve', { kind: 'port', port: record.port ?? 0 })
    expect(byPort).toMatchObject({ allow: true, route: { record: record.id, kind: 'tcp' } })
    const byHost = await peer.request('resolve', { kind: 'host', host: 'ssh.localhost' })
    expect(byHost).toMatchObject({ allow: false, code: 'unknown_name' })
  })

  it('says why a key leads nowhere, and for how long to believe it', async () => {
    const record = await addHttp('nas')
    const { peer } = attachTestRelay(rooms.hub)
    const codeOf = async (host: string) => {
      const decision = await peer.request('resolve', { kind: 'host', host })
      return decision.allow ? 'allow' : `${decision.code} ${decision.max_age_ms}`
    }
    expect(await codeOf('free.localhost')).toBe('unknown_name 30000')
    expect(await codeOf('a.nas.localhost')).toBe('unknown_name 30000')
    expect(await codeOf('nas.example')).toBe('unknown_name 30000')
    expect(await peer.request('resolve', { kind: 'port', port: 20_000 })).toMatchObject({
      code: 'unknown_name',
    })
    await rooms.devices.patch(ann, nas.id, { paused: true })
    expect(await codeOf('nas.localhost')).toBe('device_paused 30000')
    await rooms.records.patch(ann, record.id, { enabled: false })
    expect(await codeOf('nas.localhost')).toBe('record_disabled 30000')
  })

  it('adds usage to the figures of its hour', async () => {
    const record = await addHttp('nas')
    const gone = await addHttp('gone')
    await rooms.records.remove(ann, gone.id)
    const { peer } = attachTestRelay(rooms.hub)
    const report = async (...usage: [number, number, number, number][]) => {
      const batch = usage.map(([id, requests, bytes_in, bytes_out]) => ({
        record: id,
        requests,
        bytes_in,
        bytes_out,
      }))
      peer.notify('usage', batch)
      await peer.request('device_key', { device: nas.uid })
      await rooms.hub.settled()
    }
    await report([record.id, 1, 10, 100], [record.id, 2, 20, 200], [gone.id, 9, 9, 9])
    await report([record.id, 3, 2 ** 40, 300])
    rooms.clock.advance(hourMs)
    await report([record.id, 5, 50, 500])
    const hour = Date.UTC(2026, 10, 20, 12)
    const owned = { record_id: record.id, user_id: ann, device_id: nas.id }
    expect(await rooms.db.selectFrom('usage_hourly').selectAll().orderBy('hour').execute()).toEqual(
      [
        { ...owned, hour, requests: 6, bytes_in: 2 ** 40 + 30, bytes_out: 600 },
        { ...owned, hour: hour + hourMs, requests: 5, bytes_in: 50, bytes_out: 500 },
      ],
    )
  })

  it('tells every relay which console session ended', async () => {
    const relays = [attachTestRelay(rooms.hub), attachTestRelay(rooms.hub)]
    rooms.hub.endConsoleSession('public-id')
    for (const relay of relays) {
      await relay.hasHeard(1)
      expect(relay.told).toEqual([{ method: 'console_session_ended', session: 'public-id' }])
    }
  })

  it('writes its devices down as seen when it stops, and takes no relay after that', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello(sessionOf(nas.uid))
    await rooms.hub.settled()
    rooms.clock.advance(7000)
    await rooms.hub.stop()
    expect((await rowOf()).last_seen_at).toBe(rooms.clock.now())
    await relay.peer.closed
    const late = attachTestRelay(rooms.hub)
    await late.peer.closed
    expect(rooms.hub.anyRelayOnline()).toBe(false)
  })
})
