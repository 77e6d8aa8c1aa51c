import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { findPasskey, insertPasskey, notePasskeyUse } from './passkey-store.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  renewRecoveryCodes,
  replaceRecoveryCodes,
  replaceWaitingTotp,
  takeRecoveryCode,
  takeTotpStep,
} from './store.ts'

describeOnEveryEngine('second factor', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const addUser = (name: string) => insertTestUser(database, name)
  const times = 6
  const race = (run: () => Promise<boolean>) =>
    Promise.all(Array.from({ length: times }, run)).then(all => all.filter(Boolean).length)

  it('a waiting secret is replaced, a confirmed one is not', async () => {
    const { db } = database
    const user = await addUser('li')
    expect(await replaceWaitingTotp(db, user, { secretSealed: 'a', now: 1 })).toBe(true)
    expect(await replaceWaitingTotp(db, user, { secretSealed: 'b', now: 2 })).toBe(true)
    expect(await confirmTotp(db, user, { secretSealed: 'a', step: 5, now: 3 })).toBe(false)
    expect(await race(() => confirmTotp(db, user, { secretSealed: 'b', step: 5, now: 3 }))).toBe(1)
    expect(await replaceWaitingTotp(db, user, { secretSealed: 'c', now: 4 })).toBe(false)
    expect(await findTotp(db, user)).toMatchObject({
      secret_sealed: 'b',
      created_at: 2,
      confirmed_at: 3,
      last_step: 5,
    })
  })

  it('a time step is taken once, and none at or before it again', async () => {
    const { db } = database
    const user = await addUser('li')
    await replaceWaitingTotp(db, user, { secretSealed: 'a', now: 1 })
    expect(await takeTotpStep(db, user, { secretSealed: 'a', step: 6 })).toBe(false)
    await confirmTotp(db, user, { secretSealed: 'a', step: 5, now: 3 })
    expect(await takeTotpStep(db, user, { secretSealed: 'a', step: 5 })).toBe(false)
    expect(await takeTotpStep(db, user, { secretSealed: 'other', step: 7 })).toBe(false)
    expect(await race(() => takeTotpStep(db, user, { secretSealed: 'a', step: 7 }))).toBe(1)
    expect(await takeTotpStep(db, user, { secretSealed: 'a', step: 6 })).toBe(false)
    expect(await takeTotpStep(db, user, { secretSealed: 'a', step: 8 })).toBe(true)
  })

  it('a recovery code is taken once, by its account alone, and goes with the next set', async () => {
    const { db } = database
    const [user, other] = [await addUser('li'), await addUser('wang')]
    await replaceRecoveryCodes(db, user, ['a', 'b'])
    await replaceRecoveryCodes(db, other, ['b', 'c'])
    expect(await takeRecoveryCode(db, user, { hash: 'c', now: 1 })).toBe(false)
    expect(await race(() => takeRecoveryCode(db, user, { hash: 'b', now: 1 }))).toBe(1)
    expect([await countRecoveryCodes(db, user), await countRecoveryCodes(db, other)]).toEqual([
      1, 2,
    ])
    await replaceRecoveryCodes(db, user, ['x'])
    expect(await takeRecoveryCode(db, user, { hash: 'a', now: 1 })).toBe(false)
    await deleteTotp(db, user)
    expect([await countRecoveryCodes(db, user), await countRecoveryCodes(db, other)]).toEqual([
      0, 2,
    ])
  })

  it('one set of recovery codes is left, of many that are made at once', async () => {
    const { db } = database
    const user = await addUser('li')
    const renew = (set: string) =>
      db
        .transaction()
        .execute(transaction => renewRecoveryCodes(transaction, user, [`${set} 1`, `${set} 2`]))
    expect(await renew('none')).toBe(false)
    await replaceWaitingTotp(db, user, { secretSealed: 'a', now: 1 })
    expect(await renew('waiting')).toBe(false)
    await confirmTotp(db, user, { secretSealed: 'a', step: 5, now: 2 })
    await replaceRecoveryCodes(db, user, ['a', 'b'])
    expect(await Promise.all(['c', 'd', 'e', 'f', 'g'].map(renew))).not.toContain(false)
    expect(await countRecoveryCodes(db, user)).toBe(2)
  })

  it('a credential is known once, and of many uses with one counter one is noted', async () => {
    const { db } = database
    const user = await addUser('li')
    const row = {
      user_id: user,
      credential_id: 'a',
      public_key: 'key',
      counter: 0,
      transports: '[]',
      is_synced: 0,
      name: 'phone',
      created_at: 1,
      last_used_at: null,
    }
    const passkey = await insertPasskey(db, row)
    expect(await insertPasskey(db, row)).toBe(undefined)
    const id = passkey?.id ?? 0
    // An authenticator that keeps no counter says 0 for ever.
    expect(await notePasskeyUse(db, id, { counter: 0, now: 5 })).toBe(true)
    expect(await race(() => notePasskeyUse(db, id, { counter: 7, now: 6 }))).toBe(1)
    expect(await notePasskeyUse(db, id, { counter: 0, now: 7 })).toBe(false)
    expect(await findPasskey(db, 'a')).toMatchObject({ counter: 7, last_used_at: 6 })
  })
})
