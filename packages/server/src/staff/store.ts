import type { Insertable, Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { InviteTable } from '../db/schema-accounts.ts'

type Db = Kysely<Database>

const selectInvites = (db: Db) =>
  db
    .selectFrom('invites')
    .leftJoin('users', 'users.id', 'invites.used_by')
    .select([
      'invites.id',
      'invites.remark',
      'invites.created_at',
      'invites.expires_at',
      'invites.used_at',
      'users.username as used_by',
    ])

/** An invitation with the name of whoever used it. */
export type StoredInvite = Awaited<ReturnType<typeof listNewestInvites>>[number]

/** The newest invitations, whoever made them. */
export const listNewestInvites = (db: Db, limit: number) =>
  selectInvites(db).orderBy('invites.id', 'desc').limit(limit).execute()

/** Adds an invitation and gives it. */
export async function insertInvite(db: Db, row: Insertable<InviteTable>): Promise<StoredInvite> {
  const { id } = await db
    .insertInto('invites')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return selectInvites(db).where('invites.id', '=', id).executeTakeFirstOrThrow()
}

/** Removes an invitation that was not used; false where there is none. */
export async function deleteUnusedInvite(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('invites')
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** True where the code is one that may still be used. */
export async function hasUsableInvite(db: Db, codeHash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('invites')
    .select('id')
    .where('code_hash', '=', codeHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses an invitation up; true for exactly one of many callers. */
export async function takeInvite(
  db: Db,
  use: { codeHash: string; userId: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('invites')
    .set({ used_at: use.now, used_by: use.userId })
    .where('code_hash', '=', use.codeHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', use.now)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
