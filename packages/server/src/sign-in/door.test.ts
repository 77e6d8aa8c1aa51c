import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createSessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import { insertUser } from '../accounts/user-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { createEventBus } from '../events/bus.ts'
import { createSignInDoor } from './door.ts'

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

  it('lets nobody slip in while the second factor is being turned on', async () => {
    const { db } = database
    const user = (await insertUser(db, {
      username: 'li',
      username_key: 'li',
      email: '',
      email_key: null,
      password_hash: '',
      token_sealed: '',
      token_index: '',
      is_staff: 0,
      is_superuser: 0,
      is_promoter: 0,
      created_at: 1,
    })) as UserId
    const bus = createEventBus(cause => {
      throw cause
    })
    const sessions = createSessions({ db, clock: createManualClock(), bus })
    let isOn = false
    const door = createSignInDoor({
      sessions: {
        ...sessions,
        // Between the question and the session, the owner turns it on, which ends every session there is.
        async start(...input) {
          isOn = true
          await sessions.endAll(user, null)
          return sessions.start(...input)
        },
      },
      secondFactor: { require: async () => isOn, isOn: async () => isOn },
    })
    const given: string[] = []
    const entering = door.enter(
      { userId: user, factors: 'one', code: undefined },
      {
        actor: null,
        request: {
          id: '',
          address: '192.0.2.1',
          userAgent: '',
          ownOrigin: '',
          secure: false,
          language: 'zh',
        },
        browser: { startSession: token => given.push(token) },
      },
    )
    await expect(entering).rejects.toMatchObject({ code: 'second_factor_required' })
    expect(given).toEqual([])
    const live = await db.selectFrom('sessions').select('ended_at').execute()
    expect(live).toHaveLength(1)
    expect(live[0]?.ended_at).not.toBe(null)
  })
})
