import type { ColumnDefinitionBuilder, Kysely } from 'kysely'

/** One table for what is good once; captchas and challenges that were open are asked for anew. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  await db.schema
    .createTable('single_uses')
    .addColumn('key_hash', 'text', column => column.primaryKey())
    .addColumn('purpose', 'text', required)
    .addColumn('binding', 'text', required)
    .addColumn('user_id', 'bigint', column => column.references('users.id').onDelete('cascade'))
    .addColumn('value', 'text', required)
    .addColumn('tries_left', 'integer', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  for (const column of ['user_id', 'expires_at']) {
    await db.schema
      .createIndex(`single_uses_${column}_index`)
      .on('single_uses')
      .column(column)
      .execute()
  }
  await db.schema.dropTable('captchas').execute()
  await db.schema.dropTable('passkey_challenges').execute()
}
