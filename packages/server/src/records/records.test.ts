import type { AccessWay } from '@homeport/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { addDevice, openTestRooms, refusalOf, type TestRooms } from '../devices/testing.ts'
import { attachTestRelay } from '../relays/testing.ts'
import { nameRestMs, recordLimitPerDevice, restingNameLimit } from './policy.ts'

const http = { kind: 'http', target: 'http://192.168.1.2:80' } as const
const tcp: { kind: 'tcp'; target: string; access: AccessWay[] } = {
  kind: 'tcp',
  target: 'tcp://192.168.1.2:22',
  access: ['public'],
}

const outcomesOf = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map(outcome =>
    outcome.status === 'fulfilled' ? 'done' : (outcome.reason as { code: string }).code,
  )

describeOnEveryEngine('records', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let bob: UserId
  let router: number
  let bobsRouter: number
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase, { tcpPorts: { from: 20_000, to: 20_003 } })
    ann = await rooms.addUser('ann')
    bob = await rooms.addUser('bob')
    router = (await addDevice(rooms, ann, 'nas')).id
    bobsRouter = (await addDevice(rooms, bob, 'pc')).id
  })
  afterEach(() => rooms.close())

  it('makes an http record that only its owner may open', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    expect(record).toMatchObject({
      router,
      name: 'nas',
      kind: 'http',
      target: 'http://192.168.1.2:80',
      access: ['owner'],
      enabled: true,
      url: 'http://nas.localhost:8080',
      port: null,
      options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
      created_at: '2026-11-20T12:00:00.000Z',
    })
    expect((await rooms.records.listByDevice(ann, [router])).get(router)).toEqual([record])
  })

  it('gives a tcp record a port of the pool', async () => {
    const record = await rooms.records.create(ann, { ...tcp, name: 'ssh', router })
    expect(record.port).toBeGreaterThanOrEqual(20_000)
    expect(record.port).toBeLessThanOrEqual(20_003)
    expect(record.url).toBe(`tcp://ssh.localhost:${record.port}`)
  })

  it.each([
    ['no access', undefined],
    ['owner', ['owner']],
    ['owner beside public', ['public', 'owner']],
  ] as const)('refuses tcp with %s', async (_, access) => {
    const input = { ...tcp, access: access === undefined ? undefined : [...access] }
    const made = rooms.records.create(ann, { ...input, name: 'ssh', router })
    expect((await refusalOf(made)).code).toBe('access_needs_http')
  })

  it.each([
    [{ ...http, target: 'tcp://192.168.1.2:22' }],
    [{ ...tcp, target: 'http://192.168.1.2:80' }],
  ])('refuses a target that does not fit the kind: %j', async input => {
    const made = rooms.records.create(ann, { ...input, name: 'nas', router })
    expect(await refusalOf(made)).toEqual({ code: 'invalid_input', errors: { target: 'scheme' } })
  })

  it('answers the device of somebody else like one that does not exist', async () => {
    for (const device of [bobsRouter, 999_999]) {
      const made = rooms.records.create(ann, { ...http, name: 'nas', router: device })
      expect(await refusalOf(made)).toEqual({
        code: 'invalid_input',
        errors: { router: 'not_found' },
      })
    }
  })

  it('holds names unique for http and tcp together', async () => {
    await rooms.records.create(ann, { ...http, name: 'nas', router })
    const asHttp = rooms.records.create(bob, { ...http, name: 'nas', router: bobsRouter })
    expect((await refusalOf(asHttp)).code).toBe('name_taken')
    const asTcp = rooms.records.create(ann, { ...tcp, name: 'nas', router })
    expect((await refusalOf(asTcp)).code).toBe('name_taken')
  })

  it('gives a name to one of many who race for it', async () => {
    const outcomes = await outcomesOf(
      [ann, bob, ann, bob].map(owner =>
        rooms.records.create(owner, {
          ...http,
          name: 'nas',
          router: owner === ann ? router : bobsRouter,
        }),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'name_taken', 'name_taken', 'name_taken'])
  })

  it('gives racing tcp records a port each, until the pool is empty', async () => {
    const outcomes = await outcomesOf(
      ['a1', 'a2', 'a3', 'a4', 'a5'].map(name =>
        rooms.records.create(ann, { ...tcp, name, router }),
      ),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'done', 'done', 'done', 'port_pool_exhausted'])
    const ports = await rooms.db.selectFrom('records').select('port').execute()
    expect(new Set(ports.map(({ port }) => port)).size).toBe(4)
  })

  it('keeps a deleted name for its owner for 30 days', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    await rooms.records.remove(ann, record.id)
    const take = () => rooms.records.create(bob, { ...http, name: 'nas', router: bobsRouter })
    expect((await refusalOf(take())).code).toBe('name_taken')

    const again = await rooms.records.create(ann, { ...http, name: 'nas', router })
    await rooms.records.remove(ann, again.id)
    rooms.clock.advance(nameRestMs - 1)
    expect((await refusalOf(take())).code).toBe('name_taken')
    rooms.clock.advance(1)
    expect((await take()).name).toBe('nas')
  })

  it('lets a user hoard no more than so many names by renaming', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    const until = rooms.clock.now() + nameRestMs
    const rows = Array.from({ length: restingNameLimit }, (_, index) => ({
      name: `rests${index}`,
      user_id: ann,
      reserved_until: until - index - 1,
    }))
    for (let start = 0; start < rows.length; start += 250) {
      await rooms.db
        .insertInto('reserved_names')
        .values(rows.slice(start, start + 250))
        .execute()
    }
    await rooms.records.patch(ann, record.id, { name: 'home' })
    const { count } = await rooms.db
      .selectFrom('reserved_names')
      .select(eb => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(restingNameLimit)
    const take = (name: string) => rooms.records.create(bob, { ...http, name, router: bobsRouter })
    expect((await take(`rests${restingNameLimit - 1}`)).router).toBe(bobsRouter)
    expect((await refusalOf(take('rests0'))).code).toBe('name_taken')
    expect((await refusalOf(take('nas'))).code).toBe('name_taken')
  })

  it('does not let a stranger slip in while a name is given back', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    const [, ...takes] = await outcomesOf([
      rooms.records.remove(ann, record.id),
      ...Array.from({ length: 6 }, () =>
        rooms.records.create(bob, { ...http, name: 'nas', router: bobsRouter }),
      ),
    ])
    expect(new Set(takes)).toEqual(new Set(['name_taken']))
  })

  it('keeps the old name of a renamed record for its owner', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    await rooms.records.create(bob, { ...http, name: 'pc', router: bobsRouter })
    const taken = rooms.records.patch(ann, record.id, { name: 'pc' })
    expect((await refusalOf(taken)).code).toBe('name_taken')
    expect((await rooms.records.patch(ann, record.id, { name: 'home' })).name).toBe('home')
    const take = rooms.records.create(bob, { ...http, name: 'nas', router: bobsRouter })
    expect((await refusalOf(take)).code).toBe('name_taken')
    expect((await rooms.records.patch(ann, record.id, { name: 'nas' })).name).toBe('nas')
  })

  it('changes named fields only, and replaces options as a whole', async () => {
    const record = await rooms.records.create(ann, {
      ...http,
      name: 'nas',
      router,
      remark: 'files',
      options: { host_header: 'public', tls_verify: true, tls_server_name: 'nas.lan' },
    })
    rooms.clock.advance(1000)
    const enabled = await rooms.records.patch(ann, record.id, { enabled: false })
    expect(enabled).toEqual({
      ...record,
      enabled: false,
      updated_at: '2026-11-20T12:00:01.000Z',
    })
    const changed = await rooms.records.patch(ann, record.id, {
      target: 'https://192.168.1.3:443',
      access: ['public', 'owner', 'public'],
      options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
    })
    expect(changed).toMatchObject({
      remark: 'files',
      target: 'https://192.168.1.3:443',
      access: ['public', 'owner'],
      options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
    })
  })

  it('holds a changed record to the rules of its kind', async () => {
    const record = await rooms.records.create(ann, { ...tcp, name: 'ssh', router })
    const access = rooms.records.patch(ann, record.id, { access: ['owner'] })
    expect((await refusalOf(access)).code).toBe('access_needs_http')
    const target = rooms.records.patch(ann, record.id, { target: 'http://192.168.1.2:80' })
    expect((await refusalOf(target)).errors).toEqual({ target: 'scheme' })
  })

  it('neither shows, changes nor deletes the record of somebody else', async () => {
    const record = await rooms.records.create(ann, { ...http, name: 'nas', router })
    const patch = rooms.records.patch(bob, record.id, { enabled: false })
    expect((await refusalOf(patch)).code).toBe('not_found')
    expect((await refusalOf(rooms.records.remove(bob, record.id))).code).toBe('not_found')
    expect((await rooms.records.listByDevice(bob, [router])).get(router)).toEqual([])
    expect((await rooms.records.listByDevice(ann, [router])).get(router)).toEqual([record])
  })

  it('limits records per device, also when they race', async () => {
    const names = Array.from({ length: recordLimitPerDevice - 1 }, (_, index) => `n${index}`)
    for (const name of names) await rooms.records.create(ann, { ...http, name, router })
    const outcomes = await outcomesOf(
      ['x1', 'x2', 'x3'].map(name => rooms.records.create(ann, { ...http, name, router })),
    )
    expect(outcomes.toSorted()).toEqual(['done', 'record_limit', 'record_limit'])
  })

  it('tells relays the old and the new keys, and the owner that something changed', async () => {
    const relay = attachTestRelay(rooms.hub)
    await relay.hello()
    const host = (name: string) => ({ kind: 'host', host: `${name}.localhost` })
    const record = await rooms.records.create(ann, { ...tcp, name: 'ssh', router })
    const port = { kind: 'port', port: record.port }
    rooms.events.length = 0
    await rooms.records.patch(ann, record.id, { name: 'shell' })
    await rooms.records.remove(ann, record.id)
    await relay.hasHeard(3)
    expect(relay.told).toEqual([
      { method: 'routes_changed', keys: [host('ssh'), port] },
      { method: 'routes_changed', keys: [host('shell'), port, host('ssh')] },
      { method: 'routes_changed', keys: [host('shell'), port] },
    ])
    const event = { type: 'record', id: record.id, router }
    expect(rooms.events).toEqual([
      { user: ann, event },
      { user: ann, event },
    ])
  })

  it('gives a released port back to its owner first', async () => {
    const make = (owner: UserId, name: string, device: number) =>
      rooms.records.create(owner, { ...tcp, name, router: device })
    const first = await make(ann, 'ssh', router)
    await rooms.records.remove(ann, first.id)
    const strangers = [await make(bob, 'b1', bobsRouter), await make(bob, 'b2', bobsRouter)]
    expect(strangers.map(({ port }) => port)).not.toContain(first.port)
    expect((await make(ann, 'ssh2', router)).port).toBe(first.port)
  })
})
