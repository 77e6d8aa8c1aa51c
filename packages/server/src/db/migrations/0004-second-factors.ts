import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Two-step codes, recovery codes, passkeys and their challenges. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const idType = isPostgres ? sql`bigint` : sql`integer`
  const asId = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.generatedByDefaultAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const ofUser = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('users.id').onDelete('cascade')

  await db.schema
    .createTable('totp_factors')
    .addColumn('user_id', 'bigint', column => ofUser(column).primaryKey())
    .addColumn('secret_sealed', 'text', required)
    .addColumn('last_step', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint')
    .execute()

  await db.schema
    .createTable('recovery_codes')
    .addColumn('user_id', 'bigint', ofUser)
    .addColumn('code_hash', 'text', required)
    .addColumn('used_at', 'bigint')
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'code_hash'])
    .execute()

  await db.schema
    .createTable('passkeys')
    .addColumn('id', idType, asId)
    .addColumn('user_id', 'bigint', ofUser)
    .addColumn('credential_id', 'text', column => column.notNull().unique())
    .addColumn('public_key', 'text', required)
    .addColumn('counter', 'bigint', required)
    .addColumn('transports', 'text', required)
    .addColumn('is_synced', 'integer', required)
    .addColumn('name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkeys_user_id_index').on('passkeys').column('user_id').execute()

  await db.schema
    .createTable('passkey_challenges')
    .addColumn('challenge', 'text', column => column.primaryKey())
    .addColumn('binding', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema
    .createIndex('passkey_challenges_expires_at_index')
    .on('passkey_challenges')
    .column('expires_at')
    .execute()
}
