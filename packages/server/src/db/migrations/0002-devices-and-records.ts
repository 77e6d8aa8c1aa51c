import { type ColumnDefinitionBuilder, type Kysely, PostgresAdapter, sql } from 'kysely'

/** Devices, waiting pairings, used signed tokens, records, resting names and ports, usage by the hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  // Ids are never used again (AUTOINCREMENT, identity): an old page cannot meet a new row under an old id.
  const idType = isPostgres ? sql`bigint` : sql`integer`
  const asId = (column: ColumnDefinitionBuilder) =>
    isPostgres
      ? column.generatedByDefaultAsIdentity().primaryKey()
      : column.primaryKey().autoIncrement()

  const userColumn = (column: ColumnDefinitionBuilder) =>
    column.notNull().references('users.id').onDelete('cascade')

  await db.schema
    .createTable('devices')
    .addColumn('id', idType, asId)
    .addColumn('uid', 'text', column => column.notNull().unique())
    .addColumn('user_id', 'bigint', userColumn)
    .addColumn('public_key', 'text', column => column.notNull().unique())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('remark', 'text', column => column.notNull())
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('agent_version', 'text', column => column.notNull())
    .addColumn('public_ip', 'text', column => column.notNull())
    .addColumn('lan_ip', 'text', column => column.notNull())
    .addColumn('paused', 'integer', column => column.notNull())
    .addColumn('last_seen_at', 'bigint')
    .addColumn('created_at', 'bigint', column => column.notNull())
    .execute()
  await createIndex(db, 'devices', 'user_id')

  await db.schema
    .createTable('pairings')
    .addColumn('id_hash', 'text', column => column.primaryKey())
    .addColumn('public_key', 'text', column => column.notNull())
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('model', 'text', column => column.notNull())
    .addColumn('agent', 'text', column => column.notNull())
    .addColumn('agent_version', 'text', column => column.notNull())
    .addColumn('address', 'text', column => column.notNull())
    .addColumn('limit_key', 'text', column => column.notNull())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .addColumn('device_id', 'bigint', column => column.references('devices.id').onDelete('cascade'))
    .execute()
  await createIndex(db, 'pairings', 'expires_at')
  await createIndex(db, 'pairings', 'device_id')

  await db.schema
    .createTable('signed_tokens')
    .addColumn('id', 'text', column => column.primaryKey())
    .addColumn('user_id', 'bigint', userColumn)
    .addColumn('expires_at', 'bigint', column => column.notNull())
    .execute()
  await createIndex(db, 'signed_tokens', 'expires_at')

  await db.schema
    .createTable('records')
    .addColumn('id', idType, asId)
    .addColumn('user_id', 'bigint', userColumn)
    .addColumn('device_id', 'bigint', column =>
      column.notNull().references('devices.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', column => column.notNull().unique())
    .addColumn('kind', 'text', column => column.notNull())
    .addColumn('target', 'text', column => column.notNull())
    .addColumn('remark', 'text', column => column.notNull())
    .addColumn('enabled', 'integer', column => column.notNull())
    .addColumn('access', 'text', column => column.notNull())
    .addColumn('options', 'text', column => column.notNull())
    .addColumn('port', 'integer', column => column.unique())
    .addColumn('created_at', 'bigint', column => column.notNull())
    .addColumn('updated_at', 'bigint', column => column.notNull())
    .execute()
  await createIndex(db, 'records', 'device_id')
  await createIndex(db, 'records', 'user_id')

  // No foreign key to users in the next two: a name rests even when its owner's account is gone.
  await db.schema
    .createTable('reserved_names')
    .addColumn('name', 'text', column => column.primaryKey())
    .addColumn('user_id', 'bigint', column => column.notNull())
    .addColumn('reserved_until', 'bigint', column => column.notNull())
    .execute()

  await createIndex(db, 'reserved_names', 'user_id', 'reserved_until')

  await db.schema
    .createTable('released_ports')
    .addColumn('port', 'integer', column => column.primaryKey())
    .addColumn('user_id', 'bigint', column => column.notNull())
    .addColumn('released_at', 'bigint', column => column.notNull())
    .execute()

  await db.schema
    .createTable('usage_hourly')
    .addColumn('record_id', 'bigint', column => column.notNull())
    .addColumn('user_id', 'bigint', column => column.notNull())
    .addColumn('device_id', 'bigint', column => column.notNull())
    .addColumn('hour', 'bigint', column => column.notNull())
    .addColumn('requests', 'bigint', column => column.notNull())
    .addColumn('bytes_in', 'bigint', column => column.notNull())
    .addColumn('bytes_out', 'bigint', column => column.notNull())
    .addPrimaryKeyConstraint('usage_hourly_pk', ['record_id', 'hour'])
    .execute()
  await createIndex(db, 'usage_hourly', 'user_id', 'hour')
}

async function createIndex(db: Kysely<unknown>, table: string, ...columns: string[]) {
  await db.schema
    .createIndex(`${table}_${columns.join('_')}_index`)
    .on(table)
    .columns(columns)
    .execute()
}
