import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { UserTable } from '../db/schema-accounts.ts'
import type { Language } from '../http/language.ts'
import { parseUserId, type UserId } from './user-id.ts'

type Db = Kysely<Database>

/** An account as stored. */
export type StoredUser = Selectable<UserTable>

/** Adds an account; null where another has the username (or e-mail address, or telephone number). */
export async function insertUser(db: Db, row: Insertable<UserTable>): Promise<UserId | null> {
  const inserted = await db
    .insertInto('users')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted === undefined ? null : parseUserId(inserted.id)
}

/** The account of a known id. */
export const getUser = (db: Db, id: UserId): Promise<StoredUser> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

/** The account of an id that came from outside. */
export const findUserById = (db: Db, id: number): Promise<StoredUser | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** Columns by which an account is unique. */
export type UserKey = 'username_key' | 'email_key' | 'phone_number' | 'token_index'

/** The account with a unique value. */
export const findUser = (db: Db, key: UserKey, value: string): Promise<StoredUser | undefined> =>
  db.selectFrom('users').selectAll().where(key, '=', value).executeTakeFirst()

/** Writes fields of one account; faults of unique values pass through. */
export async function updateUser(db: Db, id: UserId, fields: Updateable<UserTable>): Promise<void> {
  await db.updateTable('users').set(fields).where('id', '=', id).execute()
}

/** Takes an account for the rest of the transaction. A write that changes nothing, because SQLite knows no FOR UPDATE. */
export async function lockUser(db: Db, id: UserId): Promise<void> {
  await db
    .updateTable('users')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .execute()
}

/** Puts a number in the place of another, or of none; false where it is another by now. Faults of unique values pass through. */
export async function replacePhone(
  db: Db,
  id: UserId,
  { from, to, now }: { from: string | null; to: string; now: number },
): Promise<boolean> {
  const query = db
    .updateTable('users')
    .set({ phone_number: to, phone_bound_at: now })
    .where('id', '=', id)
  const { numUpdatedRows } = await (from === null
    ? query.where('phone_number', 'is', null)
    : query.where('phone_number', '=', from)
  ).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Leaves an account without a number. */
export const releasePhone = (db: Db, id: UserId): Promise<void> =>
  updateUser(db, id, { phone_number: null, phone_bound_at: null })

/** Leaves an account without an e-mail address. */
export const releaseEmail = (db: Db, id: UserId): Promise<void> =>
  updateUser(db, id, { email: '', email_key: null })

/** Notes what the account's pages are in, where that is news. */
export async function noteLanguage(db: Db, id: UserId, language: Language): Promise<void> {
  await db
    .updateTable('users')
    .set({ language })
    .where('id', '=', id)
    .where(eb => eb.or([eb('language', 'is', null), eb('language', '<>', language)]))
    .execute()
}

/** Raises the last read announcement; two pages that write at once cannot lower it. */
export async function raiseReadAnnouncement(db: Db, id: UserId, announcement: number) {
  await db
    .updateTable('users')
    .set({ readed_announcement_id: announcement })
    .where('id', '=', id)
    .where('readed_announcement_id', '<', announcement)
    .execute()
}

/** The oldest administrator; undefined while there is none. */
export const findOldestAdministrator = (db: Db): Promise<{ id: number } | undefined> =>
  db
    .selectFrom('users')
    .select('id')
    .where('is_superuser', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()

/** True while no account exists. */
export async function hasNoUser(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined
}

/** What hangs on an account. */
export async function countBelongings(db: Db, id: UserId, now: number) {
  const count = async (table: 'devices' | 'records' | 'issued_tokens') => {
    const rows = db
      .selectFrom(table)
      .select(eb => eb.fn.countAll<number>().as('count'))
      .where('user_id', '=', id)
    const bounded = table === 'issued_tokens' ? rows.where('expires_at', '>', now) : rows
    return Number((await bounded.executeTakeFirstOrThrow()).count)
  }
  return {
    devices: await count('devices'),
    records: await count('records'),
    open_pairing_commands: await count('issued_tokens'),
  }
}

/** Signed tokens that were handed out are void with the token they stand for. */
export async function forgetIssuedTokens(db: Db, id: UserId): Promise<void> {
  await db.deleteFrom('issued_tokens').where('user_id', '=', id).execute()
}

/** Administrators who are not leaving. */
export async function countSuperusers(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('users')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('is_superuser', '=', 1)
    .where('delete_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
