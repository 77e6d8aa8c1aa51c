import type { Insertable, Kysely, Selectable } from 'kysely'
import { parseUserId, type UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { IdentityTable } from '../db/schema-sso.ts'

type Db = Kysely<Database>

/** An identity as stored. */
export type StoredIdentity = Selectable<IdentityTable>

/** The account of somebody at a provider; null where there is none. */
export async function findIdentityOwner(
  db: Db,
  { provider, subject }: Pick<StoredIdentity, 'provider' | 'subject'>,
): Promise<UserId | null> {
  const row = await db
    .selectFrom('identities')
    .select('user_id')
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row === undefined ? null : parseUserId(row.user_id)
}

/** Links an identity; false where it is linked already, to whomever. */
export async function insertIdentity(db: Db, row: Insertable<IdentityTable>): Promise<boolean> {
  const { numInsertedOrUpdatedRows: inserted } = await db
    .insertInto('identities')
    .values(row)
    .onConflict(conflict => conflict.columns(['provider', 'subject']).doNothing())
    .executeTakeFirstOrThrow()
  return (inserted ?? 0n) > 0n
}

/** Notes that somebody signed in by it. */
export async function noteIdentityUse(
  db: Db,
  { provider, subject, now }: Pick<StoredIdentity, 'provider' | 'subject'> & { now: number },
): Promise<void> {
  await db
    .updateTable('identities')
    .set({ last_used_at: now })
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .execute()
}

/** The user's identities, the oldest first. */
export const listOwnIdentities = (db: Db, owner: UserId): Promise<StoredIdentity[]> =>
  db
    .selectFrom('identities')
    .selectAll()
    .where('user_id', '=', owner)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Takes an identity of the user away; false where there is none. */
export async function deleteOwnIdentity(db: Db, owner: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('identities')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
