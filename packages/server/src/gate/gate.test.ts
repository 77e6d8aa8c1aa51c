import { unsealTicket } from '@homeport/contract/gate'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { addDevice, openTestRooms, refusalOf, type TestRooms } from '../devices/testing.ts'
import { createGateService } from './service.ts'

const n = 'A'.repeat(43)

describeOnEveryEngine('gate tickets', openTestDatabase => {
  let rooms: TestRooms
  let ann: UserId
  let bob: UserId
  let nas: number
  let record: number
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    ann = await rooms.addUser('ann')
    bob = await rooms.addUser('bob')
    nas = (await addDevice(rooms, ann, 'nas')).id
    const target = 'http://192.168.1.2:80'
    record = (await rooms.records.create(ann, { kind: 'http', target, name: 'nas', router: nas }))
      .id
  })
  afterEach(() => rooms.close())

  async function createTicket(userId: UserId, url: string, nonceHash?: string): Promise<string> {
    const place = { address: '192.0.2.1', userAgent: 'test' }
    const actor = await rooms.sessions.findActor(await rooms.sessions.start(userId, place, null))
    if (actor === null) throw new Error('no session')
    const gate = createGateService(rooms.context, rooms.records)
    return gate.createTicket(actor, { url, n: nonceHash })
  }

  it('sends the owner on with a ticket of one minute, bound to name, record, session and nonce', async () => {
    const location = await createTicket(ann, 'http://nas.localhost:8080/a?b=%20c#d', n)
    const [, ticket = ''] =
      /^http:\/\/nas\.localhost:8080\/a\?b=%20c&__hp_ticket=([^#]+)#d$/.exec(location) ?? []
    const { gate } = rooms.context.keys
    const now = rooms.clock.now()
    const session = await rooms.db
      .selectFrom('sessions')
      .select('public_id')
      .executeTakeFirstOrThrow()
    expect(unsealTicket(gate, ticket, now)).toEqual({
      host: 'nas.localhost',
      record,
      user: ann,
      session: session.public_id,
      n,
      expiresAt: now + 60_000,
    })
    expect(unsealTicket(gate, ticket, now + 60_000)).toBeNull()
  })

  it('sends the owner to the name itself while no nonce was asked for', async () => {
    const url = 'http://nas.localhost:8080/a?b#c'
    expect(await createTicket(ann, url)).toBe(url)
  })

  it('denies everybody else, and says nothing about why', async () => {
    await rooms.records.create(ann, {
      kind: 'tcp',
      target: 'tcp://192.168.1.2:22',
      access: ['public'],
      name: 'ssh',
      router: nas,
    })
    const denied = async (userId: UserId, url: string) =>
      (await refusalOf(createTicket(userId, url, n))).code
    expect(await denied(bob, 'http://nas.localhost:8080/')).toBe('gate_denied')
    expect(await denied(bob, 'http://free.localhost:8080/')).toBe('gate_denied')
    expect(await denied(ann, 'http://ssh.localhost:8080/')).toBe('gate_denied')
    await rooms.records.patch(ann, record, { enabled: false })
    expect(await denied(ann, 'http://nas.localhost:8080/')).toBe('gate_denied')
  })

  it('sends anybody to a public record, without a ticket', async () => {
    await rooms.records.patch(ann, record, { access: ['public', 'owner'] })
    const url = 'http://nas.localhost:8080/a?b#c'
    expect(await createTicket(bob, url, n)).toBe(url)
    expect(await createTicket(ann, url, n)).toBe(url)
  })

  it.each([
    'https://nas.localhost:8080/',
    'http://nas.localhost:8080@evil.example/',
    'javascript:1',
  ])('does not know %j', async url => {
    expect((await refusalOf(createTicket(ann, url, n))).code).toBe('url_unknown')
  })
})
