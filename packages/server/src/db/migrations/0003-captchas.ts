import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** Challenges and their tickets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('captchas')
    .addColumn('key_hash', 'text', column => column.primaryKey())
    .addColumn('scene', 'text', required)
    .addColumn('kind', 'text', required)
    .addColumn('limit_key', 'text', required)
    .addColumn('answer', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('answered_at', 'bigint')
    .addColumn('ticket_hash', 'text', column => column.unique())
    .execute()
  await db.schema
    .createIndex('captchas_expires_at_index')
    .on('captchas')
    .column('expires_at')
    .execute()
  await db.schema.createIndex('sessions_address_index').on('sessions').column('address').execute()
}
