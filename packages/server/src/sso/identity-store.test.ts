import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import {
  deleteOwnIdentity,
  findIdentityOwner,
  insertIdentity,
  listOwnIdentities,
  noteIdentityUse,
} from './identity-store.ts'

describeOnEveryEngine('identities', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const addUser = (name: string) => insertTestUser(database, name)
  const identity = { provider: 'oidc', subject: 'a', display_name: 'A', last_used_at: null }
  const times = 6
  const race = async <T>(run: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: times }, (_, n) => run(n)))

  it('an identity is linked to one account, of many that race', async () => {
    const { db } = database
    const users = await Promise.all(Array.from({ length: times }, (_, n) => addUser(`user${n}`)))
    const linked = await race(n =>
      db
        .transaction()
        .execute(each =>
          insertIdentity(each, { ...identity, user_id: users[n] ?? 0, created_at: 1 }),
        ),
    )
    expect(linked.filter(Boolean)).toHaveLength(1)
    expect(await findIdentityOwner(db, identity)).toBe(users[linked.indexOf(true)])
    expect(await findIdentityOwner(db, { ...identity, provider: 'wechat' })).toBe(null)
  })

  it('an identity is taken away from its account alone, once', async () => {
    const { db } = database
    const [owner, other] = [await addUser('li'), await addUser('wang')]
    for (const subject of ['a', 'b', 'c']) {
      await insertIdentity(db, { ...identity, subject, user_id: owner, created_at: 1 })
    }
    await noteIdentityUse(db, { ...identity, now: 7 })
    const [first, ...others] = await listOwnIdentities(db, owner)
    expect([first, ...others].map(row => row?.last_used_at)).toEqual([7, null, null])
    const id = first?.id ?? 0
    expect(await deleteOwnIdentity(db, other, id)).toBe(false)
    expect((await race(() => deleteOwnIdentity(db, owner, id))).filter(Boolean)).toHaveLength(1)
    expect(await listOwnIdentities(db, owner)).toEqual(others)
  })
})
