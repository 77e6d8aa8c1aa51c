import type { Insertable, Kysely, Selectable } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { PasskeyTable } from '../db/schema-second-factor.ts'

type Db = Kysely<Database>

/** A passkey as stored. */
export type StoredPasskey = Selectable<PasskeyTable>

/** Adds a passkey; undefined where its name at the authenticator is known already. */
export const insertPasskey = (
  db: Db,
  row: Insertable<PasskeyTable>,
): Promise<StoredPasskey | undefined> =>
  db
    .insertInto('passkeys')
    .values(row)
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

/** Passkeys of a user, the oldest first. */
export const listOwnPasskeys = (db: Db, owner: UserId): Promise<StoredPasskey[]> =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', owner).orderBy('id').execute()

/** The passkey that an authenticator names. */
export const findPasskey = (db: Db, credentialId: string): Promise<StoredPasskey | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

/** Gives an own passkey another name; undefined where there is none. */
export const updatePasskeyName = (
  db: Db,
  owner: UserId,
  { id, name }: { id: number; name: string },
): Promise<StoredPasskey | undefined> =>
  db
    .updateTable('passkeys')
    .set({ name })
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

/** Takes an own passkey away; false where there is none. */
export async function deleteOwnPasskey(db: Db, owner: UserId, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', owner)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Takes every passkey of a user away. */
export async function deleteAllPasskeys(db: Db, owner: UserId): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', owner).execute()
}

/** Notes a use; false where the passkey is gone, or its counter did not grow (an authenticator without one stays at 0). */
export async function notePasskeyUse(
  db: Db,
  id: number,
  { counter, now }: { counter: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, last_used_at: now })
    .where('id', '=', id)
    .where(expression =>
      counter === 0 ? expression('counter', '=', 0) : expression('counter', '<', counter),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
