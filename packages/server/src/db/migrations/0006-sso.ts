import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Sign-ons that are under way, and the identities at other services that accounts are linked to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const idType = isPostgres ? sql`bigint` : sql`integer`
  const asId = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.generatedByDefaultAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('sso_flows')
    .addColumn('state_hash', 'text', column => column.primaryKey())
    .addColumn('browser_hash', 'text', required)
    .addColumn('provider', 'text', required)
    .addColumn('sealed', 'text', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('code_hash', 'text')
    .addColumn('user_id', 'bigint', column => column.references('users.id').onDelete('cascade'))
    .execute()
  await db.schema
    .createIndex('sso_flows_expires_at_index')
    .on('sso_flows')
    .column('expires_at')
    .execute()

  await db.schema
    .createTable('identities')
    .addColumn('id', idType, asId)
    .addColumn('user_id', 'bigint', column =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('provider', 'text', required)
    .addColumn('subject', 'text', required)
    .addColumn('display_name', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_used_at', 'bigint')
    .addUniqueConstraint('identities_subject_key', ['provider', 'subject'])
    .execute()
  await db.schema
    .createIndex('identities_user_id_index')
    .on('identities')
    .column('user_id')
    .execute()
}
