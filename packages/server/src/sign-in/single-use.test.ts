import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { deleteUnusedInvite, hasUsableInvite, insertInvite, takeInvite } from '../staff/store.ts'
import { hasSetupCode, replaceSetupCodes, takeSetupCode } from './store.ts'

describeOnEveryEngine('single-use codes', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  it('a set-up code is taken once, and comes back when its transaction is undone', async () => {
    const { db } = database
    await replaceSetupCodes(db, 'old', 1)
    await replaceSetupCodes(db, 'code', 2)
    expect(await hasSetupCode(db, 'old')).toBe(false)
    const undone = db.transaction().execute(async transaction => {
      expect(await takeSetupCode(transaction, 'code')).toBe(true)
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await hasSetupCode(db, 'code')).toBe(true)
    const taken = await Promise.all(
      [1, 2, 3, 4].map(() => db.transaction().execute(each => takeSetupCode(each, 'code'))),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('an invitation is taken once, before it expires, and then stays', async () => {
    const { db } = database
    const user = await insertTestUser(database, 'li')
    const row = { remark: '', created_by: user, created_at: 1, used_at: null, used_by: null }
    const invite = await insertInvite(db, { ...row, code_hash: 'a', expires_at: 100 })
    expect(await hasUsableInvite(db, 'a', 99)).toBe(true)
    expect(await hasUsableInvite(db, 'a', 100)).toBe(false)
    const use = { codeHash: 'a', userId: user, now: 50 }
    expect(await takeInvite(db, { ...use, now: 100 })).toBe(false)
    const taken = await Promise.all(
      [1, 2, 3, 4].map(() => db.transaction().execute(each => takeInvite(each, use))),
    )
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await hasUsableInvite(db, 'a', 50)).toBe(false)
    expect(await deleteUnusedInvite(db, invite.id)).toBe(false)
  })
})
