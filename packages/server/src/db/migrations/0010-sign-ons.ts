import type { Kysely } from 'kysely'

/** Sign-ons that are under way move to the table of what is good once; those that were open begin anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('sso_flows').execute()
}
