import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

type Db = Kysely<Database>

/** Puts a set-up code in the place of all earlier ones: only the link printed last works. */
export async function replaceSetupCodes(db: Db, codeHash: string, now: number): Promise<void> {
  await db.transaction().execute(async transaction => {
    await transaction.deleteFrom('setup_codes').execute()
    await transaction
      .insertInto('setup_codes')
      .values({ code_hash: codeHash, created_at: now })
      .execute()
  })
}

/** True where the code is one that was not used yet. */
export async function hasSetupCode(db: Db, codeHash: string): Promise<boolean> {
  const row = await db
    .selectFrom('setup_codes')
    .select('code_hash')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return row !== undefined
}

/** Uses a set-up code up; true for exactly one of many callers. */
export async function takeSetupCode(db: Db, codeHash: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('setup_codes')
    .where('code_hash', '=', codeHash)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
