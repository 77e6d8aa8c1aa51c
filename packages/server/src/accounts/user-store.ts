import type { Insertable, Kysely, Selectable, Updateable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { UserTable } from '../db/schema-accounts.ts'
import { parseUserId, type UserId } from './user-id.ts'

type Db = Kysely<Database>

/** An account as stored. */
export type StoredUser = Selectable<UserTable>

/** Adds an account; null where another has the username (or e-mail address). */
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
export type UserKey = 'username_key' | 'email_key' | 'token_index'

/** The account with a unique value. */
export const findUser = (db: Db, key: UserKey, value: string): Promise<StoredUser | undefined> =>
  db.selectFrom('users').selectAll().where(key, '=', value).executeTakeFirst()

/** Writes fields of one account; faults of unique values pass through. */
export async function updateUser(db: Db, id: UserId, fields: Updateable<UserTable>): Promise<void> {
  await db.updateTable('users').set(fields).where('id', '=', id).execute()
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
