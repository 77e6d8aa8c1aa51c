import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

const pauseMs = 60_000
const dayMs = 86_400_000

/** One table for limits that a restart must not forget, and the language that an account is written to in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('counted_uses')
    .addColumn('key', 'text', column => column.primaryKey())
    .addColumn('rests_until', 'bigint', required)
    .addColumn('ends_at', 'bigint', required)
    .addColumn('count', 'integer', required)
    .execute()
  await db.schema
    .createIndex('counted_uses_ends_at_index')
    .on('counted_uses')
    .column('ends_at')
    .execute()
  await sql`insert into counted_uses (key, rests_until, ends_at, count)
    select 'sms ' || phone_hash, last_at + ${sql.lit(pauseMs)}, day_began_at + ${sql.lit(dayMs)}, count
    from sms_sendings`.execute(db)
  await db.schema.dropTable('sms_sendings').execute()

  await db.schema.alterTable('users').addColumn('language', 'text').execute()
}
