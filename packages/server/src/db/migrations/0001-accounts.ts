import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Users, sessions, invitations, set-up codes, announcements. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  // Ids are never used again (AUTOINCREMENT, identity): a stale id cannot meet a new row.
  const idType = isPostgres ? sql`bigint` : sql`integer`
  const asId = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.generatedByDefaultAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement()
  const required = (column: ColumnDefinitionBuilder) => column.notNull()
  const unique = (column: ColumnDefinitionBuilder) => column.notNull().unique()
  const zero = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)

  await db.schema
    .createTable('users')
    .addColumn('id', idType, asId)
    .addColumn('username', 'text', required)
    .addColumn('username_key', 'text', unique)
    .addColumn('email', 'text', required)
    .addColumn('email_key', 'text', column => column.unique())
    .addColumn('password_hash', 'text', required)
    .addColumn('token_sealed', 'text', required)
    .addColumn('token_index', 'text', unique)
    .addColumn('is_staff', 'integer', zero)
    .addColumn('is_superuser', 'integer', zero)
    .addColumn('is_promoter', 'integer', zero)
    .addColumn('readed_announcement_id', 'bigint', zero)
    .addColumn('accepted_terms_of_service', 'integer', zero)
    .addColumn('accepted_terms_of_payment', 'integer', zero)
    .addColumn('created_at', 'bigint', required)
    .execute()

  await db.schema
    .createTable('sessions')
    .addColumn('id', idType, asId)
    .addColumn('user_id', 'bigint', column =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('token_hash', 'text', unique)
    .addColumn('public_id', 'text', unique)
    .addColumn('user_agent', 'text', required)
    .addColumn('address', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('confirmed_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('ended_at', 'bigint')
    .execute()
  for (const column of ['user_id', 'ended_at', 'expires_at']) {
    await db.schema.createIndex(`sessions_${column}_index`).on('sessions').column(column).execute()
  }

  await db.schema
    .createTable('invites')
    .addColumn('id', idType, asId)
    .addColumn('code_hash', 'text', unique)
    .addColumn('remark', 'text', required)
    .addColumn('created_by', 'bigint', column => column.references('users.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('used_at', 'bigint')
    .addColumn('used_by', 'bigint', column => column.references('users.id').onDelete('set null'))
    .execute()

  await db.schema
    .createTable('setup_codes')
    .addColumn('code_hash', 'text', column => column.primaryKey())
    .addColumn('created_at', 'bigint', required)
    .execute()

  await db.schema
    .createTable('announcements')
    .addColumn('id', idType, asId)
    .addColumn('title', 'text', required)
    .addColumn('detail', 'text', required)
    .addColumn('url', 'text', required)
    .addColumn('display', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
}
