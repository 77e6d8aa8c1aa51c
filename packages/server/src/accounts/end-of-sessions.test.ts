import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeOnEveryEngine } from '../db/testing.ts'
import { openTestRooms, type TestRooms } from '../devices/testing.ts'
import type { Actor } from '../http/actor.ts'
import { createSecondFactor, type SecondFactor } from '../second-factor/service.ts'
import { codeAt } from '../second-factor/testing.ts'
import { createLeaving } from './leaving.ts'
import { createReleases, type Releasable } from './releases.ts'
import { createAccounts } from './service.ts'
import type { UserId } from './user-id.ts'
import { getUser, updateUser } from './user-store.ts'

const place = { address: '192.0.2.1', userAgent: '' }

describeOnEveryEngine('a change that ends the sessions', openTestDatabase => {
  let rooms: TestRooms
  let secondFactor: SecondFactor
  let owner: UserId
  let actor: Actor
  let thief: string
  const told: string[] = []
  beforeEach(async () => {
    rooms = await openTestRooms(openTestDatabase)
    secondFactor = createSecondFactor(rooms.context, rooms)
    owner = await rooms.addUser('li')
    await updateUser(rooms.db, owner, { phone_number: '+8613800138000', password_hash: 'old' })
    thief = await rooms.sessions.start(owner, place, null)
    const own = await rooms.sessions.findActor(await rooms.sessions.start(owner, place, null))
    if (own === null) throw new Error('no session')
    actor = own
    told.length = 0
    rooms.context.bus.onSessionEnd(({ sessionId }) => told.push(`end ${sessionId}`))
    rooms.context.bus.onSecurityChange(({ kind }) => told.push(kind))
  })
  afterEach(() => rooms.close())

  const isThiefIn = async () => (await rooms.sessions.findActor(thief)) !== null
  const changePassword = () => {
    const passwords = { requireRoom() {}, hash: async () => 'new', verify: async () => true }
    const accounts = createAccounts({ ...rooms.context, passwords }, rooms.sessions)
    const options = { path: 'new_password', keep: actor.sessionId, place }
    return accounts.setPassword(owner, 'a long enough password', options)
  }
  async function enrol() {
    const { secret } = await secondFactor.enrol(actor)
    return () => secondFactor.confirm(actor, codeAt(secret, rooms.clock.now()), place)
  }
  const release = (what: Releasable) =>
    createReleases(rooms.context, { ...rooms, secondFactor }).release(owner, what, {
      isForced: true,
    })
  const ways: [string, () => Promise<() => Promise<unknown>>][] = [
    ['a new password', async () => changePassword],
    ['two-step codes', enrol],
    ['the wish to leave', async () => () => createLeaving(rooms.context, rooms).begin(owner)],
    ['a number that the operator takes', async () => () => release('phone')],
    [
      'codes that the operator takes',
      async () => {
        await secondFactor.enrol(actor)
        return () => release('second_factor')
      },
    ],
  ]

  it.each(ways)('is not there without their end: %s', async (_, prepare) => {
    const change = await prepare()
    const look = async () => ({
      user: await getUser(rooms.db, owner),
      factor: await secondFactor.state(owner),
      isThiefIn: await isThiefIn(),
    })
    const before = await look()
    // The database goes just when the sessions should end.
    await rooms.db.schema.alterTable('sessions').renameTo('sessions_away').execute()
    await expect(change()).rejects.toThrow('sessions')
    await rooms.db.schema.alterTable('sessions_away').renameTo('sessions').execute()
    expect([await look(), told]).toEqual([before, []])
    await change()
    expect([await isThiefIn(), told[0]]).toEqual([false, expect.stringMatching(/^end /)])
  })
})
