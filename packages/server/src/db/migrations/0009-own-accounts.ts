import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely'

/** How sessions began, when terms were accepted, accounts that are leaving, addresses that wait for their link. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const required = (column: ColumnDefinitionBuilder) => column.notNull()

  // One column for each statement: SQLite knows no other way.
  const addToUsers = (name: string, type: 'bigint' | 'text') =>
    db.schema.alterTable('users').addColumn(name, type).execute()
  await addToUsers('terms_of_service_at', 'bigint')
  await addToUsers('terms_of_service_version', 'text')
  await addToUsers('terms_of_payment_at', 'bigint')
  await addToUsers('terms_of_payment_version', 'text')
  await addToUsers('delete_requested_at', 'bigint')
  await addToUsers('delete_at', 'bigint')
  await db.schema
    .createIndex('users_delete_at_index')
    .on('users')
    .column('delete_at')
    .where(sql.ref('delete_at'), 'is not', null)
    .execute()

  await db.schema
    .alterTable('sessions')
    .addColumn('way', 'text', column => column.notNull().defaultTo('unknown'))
    .execute()
  await db.schema
    .alterTable('sessions')
    .addColumn('second_factor', 'integer', column => column.notNull().defaultTo(0))
    .execute()

  await db.schema
    .createTable('email_changes')
    .addColumn('user_id', 'bigint', column =>
      column.primaryKey().references('users.id').onDelete('cascade'),
    )
    .addColumn('email', 'text', required)
    .addColumn('token_hash', 'text', column => column.notNull().unique())
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .execute()

  // Nobody proved that these addresses are theirs: they wait for a link like every new one.
  await sql`insert into email_changes (user_id, email, token_hash, created_at, expires_at)
    select id, email, 'none ' || id, created_at, 0 from users where email <> ''`.execute(db)
  await sql`update users set email = '', email_key = null where email <> ''`.execute(db)

  await db.schema
    .createTable('issued_tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'bigint', column =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('expires_at', 'bigint', required)
    .execute()
  await db.schema
    .createIndex('issued_tokens_user_id_index')
    .on('issued_tokens')
    .column('user_id')
    .execute()
  await db.schema
    .createIndex('issued_tokens_expires_at_index')
    .on('issued_tokens')
    .column('expires_at')
    .execute()
}
