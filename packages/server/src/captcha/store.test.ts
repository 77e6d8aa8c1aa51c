import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OpenDatabase } from '../db/database.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { deleteOldCaptchas, giveTicket, insertCaptcha, takeCaptcha, takeTicket } from './store.ts'

describeOnEveryEngine('captchas', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const add = (keyHash: string, expiresAt = 100) =>
    insertCaptcha(database.db, {
      key_hash: keyHash,
      scene: 'login',
      limit_key: 'here',
      kind: 'rotate',
      answer: '{"angle":90}',
      created_at: 1,
      expires_at: expiresAt,
    })
  const count = async () =>
    (await database.db.selectFrom('captchas').select('key_hash').execute()).length

  it('gives the answer to exactly one of many', async () => {
    await add('k')
    const taken = await Promise.all(
      [1, 2, 3, 4].map(() => takeCaptcha(database.db, { keyHash: 'k', limitKey: 'here', now: 99 })),
    )
    expect(taken.filter(row => row !== undefined)).toEqual([
      { kind: 'rotate', answer: '{"angle":90}' },
    ])
  })

  it('gives none of another address or after the end', async () => {
    await add('k')
    const take = (limitKey: string, now: number) =>
      takeCaptcha(database.db, { keyHash: 'k', limitKey, now })
    expect(await take('there', 99)).toBeUndefined()
    expect(await take('here', 100)).toBeUndefined()
    expect(await take('here', 99)).toBeDefined()
  })

  it('takes a ticket of its scene and address once', async () => {
    await add('k')
    await giveTicket(database.db, { keyHash: 'k', ticketHash: 't', expiresAt: 200 })
    const ticket = { ticketHash: 't', scene: 'login', limitKey: 'here', now: 199 } as const
    expect(await takeTicket(database.db, { ...ticket, scene: 'bind' })).toBe(false)
    expect(await takeTicket(database.db, { ...ticket, limitKey: 'there' })).toBe(false)
    expect(await takeTicket(database.db, { ...ticket, now: 200 })).toBe(false)
    const taken = await Promise.all([1, 2, 3].map(() => takeTicket(database.db, ticket)))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await count()).toBe(0)
  })

  it('removes what is over', async () => {
    await add('old', 50)
    await add('new', 51)
    expect(await deleteOldCaptchas(database.db, 50)).toBe(1)
    expect(await count()).toBe(1)
  })
})
