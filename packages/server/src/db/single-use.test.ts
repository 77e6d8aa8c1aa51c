import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from './database.ts'
import {
  attemptSingleUse,
  dropSingleUses,
  findSingleUse,
  keepSingleUse,
  removeOldSingleUses,
  takeSingleUse,
  takeSingleUseOf,
} from './single-use.ts'
import { describeOnEveryEngine } from './testing.ts'

describeOnEveryEngine('what is good once', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const use = { purpose: 'ticket', key: 'k', binding: 'here' }
  const keep = (more: object = {}) =>
    keepSingleUse(database.db, { ...use, expiresAt: 100, value: 'v', ...more })
  const take = (more: object = {}) => takeSingleUse(database.db, { ...use, now: 99, ...more })
  const attempt = () => attemptSingleUse(database.db, { ...use, now: 99 })
  const find = (more: object = {}) => findSingleUse(database.db, { ...use, now: 99, ...more })
  const found = (all: readonly unknown[]) => all.filter(each => each !== undefined)
  const count = async () =>
    (await database.db.selectFrom('single_uses').select('key_hash').execute()).length

  it('is found by exactly one of many, and then gone', async () => {
    await keep()
    const taken = await Promise.all([1, 2, 3, 4].map(() => take()))
    expect(found(taken)).toEqual([{ userId: null, value: 'v' }])
    expect(await count()).toBe(0)
  })

  it('is found for its purpose, from its binding and in time alone, and stays for who may', async () => {
    await keep()
    const strangers = [{ purpose: 'other' }, { key: 'l' }, { binding: 'there' }, { now: 100 }]
    expect(found(await Promise.all(strangers.map(take)))).toEqual([])
    expect(await take()).toBeDefined()
  })

  it('gives as many tries as it was kept with, and none unless told', async () => {
    await keep({ tries: 3 })
    expect(await find()).toEqual({ userId: null, value: 'v' })
    expect(found([await find({ binding: 'there' }), await find({ now: 100 })])).toEqual([])
    const tried = await Promise.all([1, 2, 3, 4, 5].map(attempt))
    expect(found(tried)).toHaveLength(3)
    expect(await find()).toBeUndefined()
    expect(await take()).toBeDefined()
    await keep()
    expect(await attempt()).toBeUndefined()
  })

  it('makes what the key held before void', async () => {
    await keep({ tries: 1 })
    await attempt()
    await keep({ tries: 1, value: 'new' })
    expect(await attempt()).toEqual({ userId: null, value: 'new' })
  })

  const addUser = () => insertTestUser(database, 'li')

  it('takes with it what its user has of its purpose: of many used at once one is found', async () => {
    const userId = await addUser()
    const keys = ['a', 'b', 'c', 'd']
    for (const key of keys) await keep({ key, userId })
    await keep({ key: 'other', userId, purpose: 'other' })
    await keep({ key: 'of nobody' })
    const takeOf = (more: object) =>
      database.db
        .transaction()
        .execute(each => takeSingleUseOf(each, userId, { ...use, now: 99, ...more }))
    const strangers = [{ key: 'a', binding: 'there' }, { key: 'a', now: 100 }, { key: 'of nobody' }]
    for (const more of strangers) {
      expect(await takeOf(more)).toBeUndefined()
      expect(await count()).toBe(6)
    }
    const taken = await Promise.all(keys.map(key => takeOf({ key })))
    expect(found(taken)).toEqual([{ userId, value: 'v' }])
    expect(await count()).toBe(2)
  })

  it('is dropped by purpose and user', async () => {
    const user = await addUser()
    await keep({ userId: user })
    await keep({ userId: user, purpose: 'other' })
    await keep({ key: 'of nobody' })
    await dropSingleUses(database.db, 'ticket', user)
    expect(await take()).toBeUndefined()
    expect(await take({ purpose: 'other' })).toEqual({ userId: user, value: 'v' })
    expect(await take({ key: 'of nobody' })).toBeDefined()
  })

  it('keeps no key in clear, and is removed when it is over', async () => {
    await keep({ key: 'secret-one', expiresAt: 50 })
    await keep({ key: 'secret-two', expiresAt: 51 })
    const rows = await database.db.selectFrom('single_uses').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secret-')
    expect(await removeOldSingleUses(database.db, 50)).toBe(1)
    expect(await count()).toBe(1)
  })
})
