import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import { parseUserId, type UserId } from './user-id.ts'

type Db = Kysely<Database>

/**
 * Takes the rows of all administrators for the rest of the transaction: of two who leave at once, the second sees that the
 * first has gone. A write that changes nothing, because SQLite knows no FOR UPDATE.
 */
export async function lockSuperusers(db: Db): Promise<void> {
  await db
    .updateTable('users')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('is_superuser', '=', 1)
    .execute()
}

/** Marks an account as leaving; false where it is already. */
export async function markLeaving(
  db: Db,
  id: UserId,
  { now, deleteAt }: { now: number; deleteAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ delete_requested_at: now, delete_at: deleteAt })
    .where('id', '=', id)
    .where('delete_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Takes the mark away; false where there is none. */
export async function unmarkLeaving(db: Db, id: UserId): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ delete_requested_at: null, delete_at: null })
    .where('id', '=', id)
    .where('delete_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Accounts whose time is over, those that waited longest first. */
export async function listDue(db: Db, now: number, limit: number): Promise<UserId[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('delete_at', '<=', now)
    .orderBy('delete_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => parseUserId(id))
}

/** Takes an account whose time is over for the rest of the transaction; false where it was restored or is gone. */
export async function lockDue(db: Db, id: UserId, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', id)
    .where('delete_at', '<=', now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Devices of an account: id, and name in the tunnel. */
export const listDeviceIds = (db: Db, owner: UserId): Promise<{ id: number; uid: string }[]> =>
  db
    .selectFrom('devices')
    .select(['id', 'uid'])
    .where('user_id', '=', owner)
    .orderBy('id')
    .execute()

/** Removes an account; the rows that hang on it go with it, its hourly figures too. */
export async function deleteUser(db: Db, id: UserId): Promise<void> {
  await db.deleteFrom('usage_hourly').where('user_id', '=', id).execute()
  await db.deleteFrom('users').where('id', '=', id).execute()
}
