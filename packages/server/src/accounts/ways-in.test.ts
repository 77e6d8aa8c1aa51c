import type { Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OidcSettings } from '../config.ts'
import type { OpenDatabase } from '../db/database.ts'
import type { Database } from '../db/schema.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { deleteOwnPasskey, insertPasskey } from '../second-factor/passkey-store.ts'
import { deleteOwnIdentity, insertIdentity, listOwnIdentities } from '../sso/identity-store.ts'
import { listOwnPasskeys } from './own-data-store.ts'
import { insertTestUser } from './testing-store.ts'
import type { UserId } from './user-id.ts'
import { releasePhone, updateUser } from './user-store.ts'
import { requireWayIn } from './ways-in.ts'

describeOnEveryEngine('the last way in', openTestDatabase => {
  let database: OpenDatabase
  let owner: UserId
  beforeEach(async () => {
    database = await openTestDatabase()
    owner = await insertTestUser(database, 'li')
  })
  afterEach(() => database.close())

  const addPasskey = (name: string) =>
    insertPasskey(database.db, {
      user_id: owner,
      credential_id: name,
      public_key: 'key',
      counter: 0,
      transports: '[]',
      is_synced: 0,
      name,
      created_at: 1,
      last_used_at: null,
    })
  const addIdentity = (subject: string) =>
    insertIdentity(database.db, {
      user_id: owner,
      provider: 'oidc',
      subject,
      display_name: subject,
      created_at: 1,
      last_used_at: null,
    })
  const oidc = { issuer: 'https://id.example', clientId: 'id', label: 'Test', scopes: [] }
  const ids = async () => ({
    passkeys: (await listOwnPasskeys(database.db, owner)).map(({ id }) => id),
    identities: (await listOwnIdentities(database.db, owner)).map(({ id }) => id),
  })

  /** What comes of taking a way in away: `taken`, or the code of the refusal. */
  const take = (
    remove: (db: Kysely<Database>) => Promise<unknown>,
    way: 'outbox' | 'off' = 'outbox',
    providers: { oidc?: OidcSettings } = { oidc },
  ) =>
    database.db
      .transaction()
      .execute(async transaction => {
        await remove(transaction)
        await requireWayIn(transaction, { sms: { way }, ...providers }, owner)
        return 'taken'
      })
      .catch((error: { code: string }) => error.code)

  it('stays, whatever is taken away at once', async () => {
    for (const name of ['a', 'b', 'c']) {
      await addPasskey(name)
      await addIdentity(name)
    }
    const { passkeys, identities } = await ids()
    const outcomes = await Promise.all([
      ...passkeys.map(id => take(db => deleteOwnPasskey(db, owner, id))),
      ...identities.map(id => take(db => deleteOwnIdentity(db, owner, id))),
    ])
    expect(outcomes.filter(outcome => outcome === 'taken')).toHaveLength(5)
    expect(outcomes.filter(outcome => outcome === 'last_way_in')).toHaveLength(1)
    const left = await ids()
    expect([...left.passkeys, ...left.identities]).toHaveLength(1)
  })

  it('is any but a letter; a message and an identity only where they are set up', async () => {
    const nothing = async () => {}
    expect(await take(nothing)).toBe('last_way_in')
    await updateUser(database.db, owner, { email: 'me@example.com', email_key: 'me@example.com' })
    expect(await take(nothing)).toBe('last_way_in')
    await updateUser(database.db, owner, { phone_number: '+8613800138000', phone_bound_at: 1 })
    expect(await take(nothing)).toBe('taken')
    expect(await take(nothing, 'off')).toBe('last_way_in')
    await addIdentity('a')
    expect(await take(nothing, 'off')).toBe('taken')
    expect(await take(nothing, 'off', {})).toBe('last_way_in')
    expect(await take(db => releasePhone(db, owner))).toBe('taken')
    const [identity = 0] = (await ids()).identities
    expect(await take(db => deleteOwnIdentity(db, owner, identity))).toBe('last_way_in')
    await updateUser(database.db, owner, { password_hash: 'hash' })
    expect(await take(db => deleteOwnIdentity(db, owner, identity))).toBe('taken')
  })
})
