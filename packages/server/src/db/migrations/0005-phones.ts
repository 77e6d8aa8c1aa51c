import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Telephone numbers of accounts, and how often messages went to a number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema.alterTable('users').addColumn('phone_number', 'text').execute()
  await db.schema.alterTable('users').addColumn('phone_bound_at', 'bigint').execute()
  await db.schema
    .createIndex('users_phone_number_index')
    .unique()
    .on('users')
    .column('phone_number')
    .execute()

  await db.schema
    .createTable('sms_sendings')
    .addColumn('phone_hash', 'text', column => column.primaryKey())
    .addColumn('last_at', 'bigint', required)
    .addColumn('day_began_at', 'bigint', required)
    .addColumn('count', 'integer', required)
    .execute()
  await db.schema
    .createIndex('sms_sendings_last_at_index')
    .on('sms_sendings')
    .column('last_at')
    .execute()
}
