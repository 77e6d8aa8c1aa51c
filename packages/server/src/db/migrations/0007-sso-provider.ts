import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Sign-ons at our own provider, and what the browsers that began them are told. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const idType = isPostgres ? sql`bigint` : sql`integer`
  const asId = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.generatedByDefaultAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  await db.schema
    .createTable('sso_requests')
    .addColumn('state_hash', 'text', column => column.primaryKey())
    .addColumn('id_hash', 'text', column => column.notNull().unique())
    .addColumn('category', 'text', required)
    .addColumn('binding', 'text', required)
    .addColumn('code_challenge', 'text', required)
    .addColumn('redirect_uri', 'text', required)
    .addColumn('number', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('user_agent', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('user_id', 'bigint', column => column.references('users.id').onDelete('cascade'))
    .addColumn('answer', 'text')
    .addColumn('session_id', 'bigint')
    .addColumn('authenticated_at', 'bigint')
    .addColumn('code_hash', 'text', column => column.unique())
    .addColumn('code_expires_at', 'bigint')
    .addColumn('code_used_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('sso_requests_expires_at_index')
    .on('sso_requests')
    .column('expires_at')
    .execute()
  await db.schema
    .createIndex('sso_requests_binding_index')
    .on('sso_requests')
    .column('binding')
    .execute()

  await db.schema
    .createTable('sso_events')
    .addColumn('id', idType, asId)
    .addColumn('category', 'text', required)
    .addColumn('binding', 'text', required)
    .addColumn('timestamp', 'bigint', required)
    .addColumn('data_sealed', 'text', required)
    .addColumn('delivered_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('sso_events_category_index')
    .on('sso_events')
    .column('category')
    .execute()
  await db.schema
    .createIndex('sso_events_timestamp_index')
    .on('sso_events')
    .column('timestamp')
    .execute()
}
