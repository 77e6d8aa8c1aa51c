import type { Kysely, Selectable } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { TotpTable } from '../db/schema-second-factor.ts'

type Db = Kysely<Database>

/** Two-step codes of an account as stored. */
export type StoredTotp = Selectable<TotpTable>

/** The account's row, confirmed or not. */
export const findTotp = (db: Db, owner: UserId): Promise<StoredTotp | undefined> =>
  db.selectFrom('totp_factors').selectAll().where('user_id', '=', owner).executeTakeFirst()

/** Puts a secret that waits for its first code in the place of one that waited; false where one counts already. */
export async function replaceWaitingTotp(
  db: Db,
  owner: UserId,
  row: { secretSealed: string; now: number },
): Promise<boolean> {
  const fields = { secret_sealed: row.secretSealed, created_at: row.now, last_step: -1 }
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('totp_factors')
    .values({ user_id: owner, confirmed_at: null, ...fields })
    .onConflict(conflict =>
      conflict.column('user_id').doUpdateSet(fields).where('totp_factors.confirmed_at', 'is', null),
    )
    .executeTakeFirstOrThrow()
  return (changed ?? 0n) > 0n
}

/** Makes exactly the secret that the code was computed from count; true for one of many callers. */
export async function confirmTotp(
  db: Db,
  owner: UserId,
  { secretSealed, step, now }: { secretSealed: string; step: number; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set({ confirmed_at: now, last_step: step })
    .where('user_id', '=', owner)
    .where('secret_sealed', '=', secretSealed)
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Uses a time step up; true for exactly one caller, and never again for it or an earlier one. */
export async function takeTotpStep(
  db: Db,
  owner: UserId,
  { secretSealed, step }: { secretSealed: string; step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set({ last_step: step })
    .where('user_id', '=', owner)
    .where('secret_sealed', '=', secretSealed)
    .where('confirmed_at', 'is not', null)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Takes the account's codes for the rest of the transaction by a write that changes nothing; false where they are not on. */
async function lockTotp(db: Db, owner: UserId): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_factors')
    .set(expression => ({ created_at: expression.ref('created_at') }))
    .where('user_id', '=', owner)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Takes codes and recovery codes away; the former first, as whoever replaces the latter locks them. */
export async function deleteTotp(db: Db, owner: UserId): Promise<void> {
  await db.deleteFrom('totp_factors').where('user_id', '=', owner).execute()
  await db.deleteFrom('recovery_codes').where('user_id', '=', owner).execute()
}

/** Puts a new set of recovery codes in the place of all before. */
export async function replaceRecoveryCodes(
  db: Db,
  owner: UserId,
  hashes: readonly string[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', owner).execute()
  await db
    .insertInto('recovery_codes')
    .values(hashes.map(hash => ({ user_id: owner, code_hash: hash, used_at: null })))
    .execute()
}

/** As `replaceRecoveryCodes`, in a transaction: of two at once the second replaces what the first wrote. False where codes are not on. */
export async function renewRecoveryCodes(
  transaction: Db,
  owner: UserId,
  hashes: readonly string[],
): Promise<boolean> {
  if (!(await lockTotp(transaction, owner))) return false
  await replaceRecoveryCodes(transaction, owner, hashes)
  return true
}

/** Uses a recovery code up; true for exactly one caller. */
export async function takeRecoveryCode(
  db: Db,
  owner: UserId,
  { hash, now }: { hash: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('user_id', '=', owner)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Recovery codes that were not used yet. */
export async function countRecoveryCodes(db: Db, owner: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(expression => expression.fn.countAll<number>().as('count'))
    .where('user_id', '=', owner)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
