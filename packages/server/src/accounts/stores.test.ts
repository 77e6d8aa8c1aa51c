import type { Kysely } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import {
  deleteOldSessions,
  endEpoch,
  endSessions,
  findSessionByToken,
  holdEpoch,
  insertSession,
  listEndedSessions,
  listLiveSessions,
  readEpoch,
  touchSession,
} from './session-store.ts'
import type { UserId } from './user-id.ts'
import {
  findUser,
  getUser,
  hasNoUser,
  insertUser,
  raiseReadAnnouncement,
  updateUser,
} from './user-store.ts'

describeOnEveryEngine('accounts', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const userRow = (name: string, email: string | null = null) => ({
    username: name,
    username_key: name,
    email: email ?? '',
    email_key: email,
    password_hash: 'hash',
    token_sealed: 'sealed',
    token_index: `index of ${name}`,
    is_staff: 0,
    is_superuser: 0,
    is_promoter: 0,
    created_at: 1,
  })
  async function addUser(name: string, email: string | null = null): Promise<UserId> {
    const id = await insertUser(database.db, userRow(name, email))
    if (id === null) throw new Error('taken')
    return id
  }
  const addSession = (
    user: UserId,
    token: string,
    times: { seen?: number; expires?: number } = {},
    db = database.db,
  ) =>
    insertSession(db, {
      user_id: user,
      token_hash: token,
      public_id: `public ${token}`,
      user_agent: '',
      address: '',
      created_at: 1,
      last_seen_at: times.seen ?? 100,
      confirmed_at: 1,
      expires_at: times.expires ?? 1_000,
      ended_at: null,
    })

  it('gives a username, an address and a token to one user alone, also in a race', async () => {
    expect(await hasNoUser(database.db)).toBe(true)
    const ids = await Promise.all([1, 2, 3].map(() => insertUser(database.db, userRow('li'))))
    expect(ids.filter(id => id !== null)).toHaveLength(1)
    expect(await hasNoUser(database.db)).toBe(false)
    const other = await addUser('wang', 'w@example.com')
    expect(
      await insertUser(database.db, { ...userRow('zhao'), email_key: 'w@example.com' }),
    ).toBeNull()
    const fault = await updateUser(database.db, other, { username_key: 'li' }).catch(
      (e: unknown) => e,
    )
    expect(isUniqueViolation(fault)).toBe(true)
    expect((await findUser(database.db, 'email_key', 'w@example.com'))?.id).toBe(other)
  })

  it('raises the read announcement and never lowers it', async () => {
    const id = await addUser('li')
    await Promise.all([4, 9, 2].map(n => raiseReadAnnouncement(database.db, id, n)))
    await raiseReadAnnouncement(database.db, id, 8)
    expect((await getUser(database.db, id)).readed_announcement_id).toBe(9)
  })

  it('finds a session by its hash, with the flags of its user', async () => {
    const id = await addUser('li')
    await updateUser(database.db, id, { is_staff: 1 })
    await addSession(id, 'a')
    expect(await findSessionByToken(database.db, 'a')).toMatchObject({ user_id: id, is_staff: 1 })
    expect(await findSessionByToken(database.db, 'b')).toBeUndefined()
  })

  it('ends a session for one of many that try, and never that of another user', async () => {
    const [own, other] = [await addUser('li'), await addUser('wang')]
    const session = await addSession(own, 'a')
    expect(await endSessions(database.db, other, { only: [session] }, 5)).toEqual([])
    const ended = await Promise.all(
      [1, 2, 3].map(() => endSessions(database.db, own, { only: [session] }, 5)),
    )
    expect(ended.flat()).toEqual([{ id: session, public_id: 'public a' }])
    expect(await listEndedSessions(database.db, 5)).toEqual(['public a'])
    expect(await listEndedSessions(database.db, 6)).toEqual([])
  })

  describe('whoever begins a session and whoever ends all take the account, one after the other', () => {
    let owner: UserId
    let epoch: number
    beforeEach(async () => {
      owner = await addUser('li')
      epoch = await readEpoch(database.db, owner)
    })
    const within = <T>(work: (transaction: Kysely<Database>) => Promise<T>) =>
      database.db.transaction().execute(work)
    /** Time enough for one that does not wait to be through. */
    async function linger(transaction: Kysely<Database>): Promise<void> {
      for (let n = 0; n < 50; n += 1) await readEpoch(transaction, owner)
    }

    it('nothing begins in an epoch that is being ended', async () => {
      let begun: Promise<boolean> | undefined
      await within(async ending => {
        await endEpoch(ending, owner)
        begun = within(beginning => holdEpoch(beginning, owner, epoch))
        await linger(ending)
      })
      expect(await begun).toBe(false)
    })

    it('what is just beginning is ended too', async () => {
      let ended: Promise<{ public_id: string }[]> | undefined
      await within(async beginning => {
        expect(await holdEpoch(beginning, owner, epoch)).toBe(true)
        ended = within(async ending => {
          await endEpoch(ending, owner)
          return endSessions(ending, owner, { allBut: null }, 5)
        })
        await linger(beginning)
        await addSession(owner, 'a', {}, beginning)
      })
      expect((await ended)?.map(session => session.public_id)).toEqual(['public a'])
    })
  })

  it('ends all but one, lists what lives and removes what is old', async () => {
    const id = await addUser('li')
    const [first, second] = [await addSession(id, 'a'), await addSession(id, 'b', { seen: 200 })]
    await addSession(id, 'expired', { expires: 150 })
    await addSession(id, 'idle', { seen: 10 })
    const live = () => listLiveSessions(database.db, id, { now: 300, seenAfter: 50 })
    expect((await live()).map(session => session.id)).toEqual([second, first])
    await endSessions(database.db, id, { allBut: second }, 300)
    expect((await live()).map(session => session.id)).toEqual([second])
    await deleteOldSessions(database.db, { ended: 301, seen: 50 })
    const rest = await database.db.selectFrom('sessions').select('id').execute()
    expect(rest).toEqual([{ id: second }])
  })

  it('writes a use only where the last one is long enough ago', async () => {
    const id = await addUser('li')
    const session = await addSession(id, 'a', { seen: 100 })
    await touchSession(database.db, session, 150, 90)
    expect((await findSessionByToken(database.db, 'a'))?.last_seen_at).toBe(100)
    await touchSession(database.db, session, 200, 140)
    expect((await findSessionByToken(database.db, 'a'))?.last_seen_at).toBe(200)
  })
})
