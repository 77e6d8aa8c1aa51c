import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSessions, recentMs } from '../accounts/sessions.ts'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { createEventBus } from '../events/bus.ts'
import { createSignInDoor, type SignInRequest } from './door.ts'

const root = path.join(import.meta.dirname, '..')

/** Product files of the server that match. */
async function findFiles(pattern: RegExp): Promise<string[]> {
  const names = await readdir(root, { recursive: true })
  const products = names.filter(
    name => /\.ts$/.test(name) && !/(test|testing|testing-authenticator)\.ts$/.test(name),
  )
  const found = await Promise.all(
    products.map(async name => {
      const text = await readFile(path.join(root, name), 'utf8')
      return pattern.test(text) ? [name.replaceAll(path.sep, '/')] : []
    }),
  )
  return found.flat().sort()
}

// A way in that is added later belongs behind the door: only it asks for the second factor.
it('only the door begins sessions and gives them to browsers', async () => {
  expect(await findFiles(/\bsessions\s*\.\s*start\b|\.startSession\b/)).toEqual(['sign-in/door.ts'])
  expect(await findFiles(/\binsertSession\b/)).toEqual([
    'accounts/session-store.ts',
    'accounts/sessions.ts',
  ])
  expect(await findFiles(/\bstart\b[^\n]*[}:=] (await )?(\w+\.)*sessions\b/)).toEqual([])
})

// The door's own type names it; beside that only a passkey, which requires user verification, claims it.
it('only passkeys enter as having shown both factors', async () => {
  expect(await findFiles(/factors: 'both'/)).toEqual([
    'second-factor/passkey-routes.ts',
    'sign-in/door.ts',
  ])
})

describeOnEveryEngine('the door', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const addUser = () => insertTestUser(database, 'li')

  const off = { require: async () => false, isOn: async () => false }
  const staying = { deletesAt: async () => null, restore: async () => false }
  const bus = createEventBus(cause => {
    throw cause
  })

  function comeFrom(given: string[]): SignInRequest {
    const request = {
      id: '',
      address: '192.0.2.1',
      userAgent: '',
      ownOrigin: '',
      secure: false,
      language: 'zh' as const,
    }
    const browser = { csrfValue: 'mine', startSession: (token: string) => given.push(token) }
    return { actor: null, request, browser }
  }

  it('lets nobody slip in while the second factor is being turned on', async () => {
    const { db } = database
    const user = await addUser()
    const sessions = createSessions({ db, clock: createManualClock(), bus })
    const door = createSignInDoor(
      { db, clock: createManualClock() },
      {
        sessions: {
          ...sessions,
          // Between the question and the session, the owner turns it on, which ends every session there is.
          async start(...input) {
            await sessions.endAll(user, null)
            return sessions.start(...input)
          },
        },
        secondFactor: off,
        leaving: staying,
      },
    )
    const given: string[] = []
    const epoch = await sessions.epochOf(user)
    const entering = door.enter(
      { userId: user, epoch, factors: 'one', code: undefined, way: 'password' },
      comeFrom(given),
    )
    await expect(entering).rejects.toMatchObject({ code: 'sign_in_expired' })
    expect(given).toEqual([])
    expect(await db.selectFrom('sessions').select('id').execute()).toEqual([])
  })

  it('begins no session by a code once a new password took the place of what waited for it', async () => {
    const { db } = database
    const userId = await addUser()
    const clock = createManualClock()
    const sessions = createSessions({ db, clock, bus })
    let meanwhile = async () => {}
    const secondFactor = {
      isOn: async () => true,
      async require() {
        await meanwhile()
        return true
      },
    }
    const start: typeof sessions.start = async (...given) => {
      await meanwhile()
      return sessions.start(...given)
    }
    const door = createSignInDoor(
      { db, clock },
      { sessions: { start }, secondFactor, leaving: staying },
    )
    const given: string[] = []
    const input = comeFrom(given)
    const begin = async () =>
      door.enter(
        {
          userId,
          epoch: await sessions.epochOf(userId),
          factors: 'one',
          code: undefined,
          way: 'password',
        },
        input,
      )
    // Once while the code is looked at, and once after what waits was asked for the last time.
    for (const skipped of [0, 1]) {
      await expect(begin()).rejects.toMatchObject({ code: 'second_factor_required' })
      let calls = 0
      meanwhile = async () => {
        calls += 1
        if (calls === skipped + 1) await sessions.endAll(userId, null)
      }
      await expect(door.finish('123456', input)).rejects.toMatchObject({ code: 'sign_in_expired' })
      expect(calls).toBe(skipped + 1)
      meanwhile = async () => {}
    }
    expect(given).toEqual([])
    await expect(begin()).rejects.toMatchObject({ code: 'second_factor_required' })
    expect(await door.finish('123456', input)).toEqual({ id: userId })
  })

  it('leaves no session of an old proof, however many come while all are ended', async () => {
    const { db } = database
    const userId = await addUser()
    const clock = createManualClock()
    const sessions = createSessions({ db, clock, bus })
    const door = createSignInDoor({ db, clock }, { sessions, secondFactor: off, leaving: staying })
    const given: string[] = []
    const epoch = await sessions.epochOf(userId)
    const proof = { userId, epoch, factors: 'one', code: undefined, way: 'password' } as const
    const enter = () =>
      door.enter(proof, comeFrom(given)).then(
        () => 'in',
        (error: { code: string }) => error.code,
      )
    const entries = [enter(), enter(), enter()]
    const ending = sessions.endAll(userId, null)
    entries.push(enter(), enter(), enter())
    const outcomes = await Promise.all(entries)
    await ending
    expect(outcomes.every(outcome => ['in', 'sign_in_expired'].includes(outcome))).toBe(true)
    expect(given).toHaveLength(outcomes.filter(outcome => outcome === 'in').length)
    expect(await Promise.all(given.map(token => sessions.findActor(token)))).toEqual(
      given.map(() => null),
    )
    expect(await enter()).toBe('sign_in_expired')
  })

  it.each([true, false])(
    'lets nobody back by one factor once the account asks for two (it does: %s)',
    async isOvertaken => {
      const { db } = database
      const userId = await addUser()
      const clock = createManualClock()
      let isLeaving = true
      const sessions = createSessions({ db, clock, bus })
      const restore = async () => {
        await sessions.endAll(userId, null)
        return false
      }
      const door = createSignInDoor(
        { db, clock },
        {
          sessions,
          secondFactor: off,
          leaving: {
            deletesAt: async () => (isLeaving ? 1 : null),
            // The owner comes back elsewhere and turns it on, in the moment after this restoration took what it waits with.
            async restore() {
              if (isOvertaken) await sessions.endAll(userId, null)
              return restore()
            },
          },
        },
      )
      const given: string[] = []
      const input = comeFrom(given)
      const epoch = await sessions.epochOf(userId)
      await expect(
        door.enter({ userId, epoch, factors: 'one', code: undefined, way: 'password' }, input),
      ).rejects.toMatchObject({ code: 'account_leaving' })
      isLeaving = false
      const restoring = door.restore(input)
      if (isOvertaken) await expect(restoring).rejects.toMatchObject({ code: 'sign_in_expired' })
      else expect(await restoring).toEqual({ id: userId })
      expect(given).toHaveLength(isOvertaken ? 0 : 1)
    },
  )

  it.each([false, true])(
    'makes no recent session of an old proof (second factor: %s)',
    async isOn => {
      const { db } = database
      const userId = await addUser()
      const clock = createManualClock()
      const authenticatedAt = clock.now()
      clock.advance(recentMs)
      const sessions = createSessions({ db, clock, bus })
      const secondFactor = { require: async () => isOn, isOn: async () => isOn }
      const door = createSignInDoor({ db, clock }, { sessions, secondFactor, leaving: staying })
      const given: string[] = []
      const input = comeFrom(given)
      const entering = door.enter(
        { userId, epoch: 0, factors: 'one', code: undefined, way: 'sso', authenticatedAt },
        input,
      )
      if (isOn) {
        await expect(entering).rejects.toMatchObject({ code: 'second_factor_required' })
        await door.finish('123456', input)
      } else {
        await entering
      }
      const actor = await sessions.findActor(given[0] ?? '')
      expect(actor?.recentUntil).toBe(authenticatedAt + recentMs)
    },
  )
})
