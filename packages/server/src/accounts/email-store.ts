import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { EmailChangeTable } from '../db/schema-accounts.ts'
import type { UserId } from './user-id.ts'

type Db = Kysely<Database>

/** An address that waits for its link to be opened. */
export type StoredEmailChange = Selectable<EmailChangeTable>

/** Lets an address wait; the one that waited before is forgotten, and its link with it. */
export async function replaceEmailChange(db: Db, row: Insertable<EmailChangeTable>): Promise<void> {
  const { user_id: _, ...fields } = row
  await db
    .insertInto('email_changes')
    .values(row)
    .onConflict(conflict => conflict.column('user_id').doUpdateSet(fields))
    .execute()
}

/** The address of an account that waits. */
export const findEmailChange = (db: Db, owner: UserId): Promise<StoredEmailChange | undefined> =>
  db.selectFrom('email_changes').selectAll().where('user_id', '=', owner).executeTakeFirst()

/** Uses a link up, in time: given to exactly one of many callers. */
export const takeEmailChange = (
  db: Db,
  owner: UserId,
  { tokenHash, now }: { tokenHash: string; now: number },
): Promise<StoredEmailChange | undefined> =>
  db
    .deleteFrom('email_changes')
    .where('user_id', '=', owner)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Forgets the address that waits; false where none does. */
export async function deleteEmailChange(db: Db, owner: UserId): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('email_changes')
    .where('user_id', '=', owner)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
