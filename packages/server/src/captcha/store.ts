import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'

/** True where somebody signed in from the address within the sessions that are kept. */
export async function hasSessionFrom(db: Kysely<Database>, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
