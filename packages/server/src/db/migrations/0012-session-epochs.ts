import type { Kysely } from 'kysely'

/** How often all sessions of an account were ended: what was proved before the last time begins none any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('users')
    .addColumn('session_epoch', 'integer', column => column.notNull().defaultTo(0))
    .execute()
}
