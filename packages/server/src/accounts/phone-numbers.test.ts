import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import { insertTestUser } from './testing-store.ts'
import { findUser, getUser, replacePhone } from './user-store.ts'

describeOnEveryEngine('the number of an account', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  it('belongs to one account, and changes only from what it was', async () => {
    const { db } = database
    const make = (name: string, phone: string | null = null) =>
      insertTestUser(database, name, { phone_number: phone })
    const first = await make('first')
    const second = await make('second')
    const bound = await Promise.all(
      ['+1000001', '+1000002'].map(to => replacePhone(db, first, { from: null, to, now: 5 })),
    )
    expect(bound.filter(Boolean)).toHaveLength(1)
    const own = (await getUser(db, first)).phone_number ?? ''
    const fault = await replacePhone(db, second, { from: null, to: own, now: 5 }).catch(
      error => error,
    )
    expect(isUniqueViolation(fault)).toBe(true)
    await expect(make('third', own)).rejects.toThrow('taken')
    expect(await replacePhone(db, first, { from: '+9', to: '+1000003', now: 6 })).toBe(false)
    expect(await replacePhone(db, first, { from: own, to: '+1000003', now: 6 })).toBe(true)
    expect(await findUser(db, 'phone_number', '+1000003')).toMatchObject({
      id: first,
      phone_bound_at: 6,
    })
    expect(await findUser(db, 'phone_number', own)).toBe(undefined)
  })
})
