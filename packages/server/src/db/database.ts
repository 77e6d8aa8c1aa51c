import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { migrate } from './migrate.ts'
import { createNodeSqliteDialect } from './node-sqlite-dialect.ts'
import type { Database } from './schema.ts'

/** Connections to PostgreSQL of one server at most. */
const poolLimit = 10

/** A query on PostgreSQL is given up after this many ms, so that no call waits for ever. */
const queryTimeoutMs = 10_000

/** Opening a connection to PostgreSQL, or waiting for a free one, is given up after this many ms. */
const connectTimeoutMs = 5_000

/**
 * Where the rows are: a PostgreSQL URL, or an SQLite file (`:memory:` in tests). `schema` is PostgreSQL's search path, `queryTimeoutMs`
 * stands in for this module's own time-out.
 */
export type DatabasePlace =
  | { url: string; schema?: string; queryTimeoutMs?: number }
  | { file: string }

/** An open database. `close` waits for queries in flight. */
export interface OpenDatabase {
  db: Kysely<Database>
  dialect: 'sqlite' | 'postgres'
  close(): Promise<void>
}

/**
 * Opens the database and brings its schema up to date. On PostgreSQL that has connections of its own, whose queries may take as long as
 * they take: an index over many rows, or the wait for another server that is at it.
 */
export async function openMigratedDatabase(
  place: DatabasePlace,
  onFault: (cause: unknown) => void,
): Promise<OpenDatabase> {
  const isPostgres = 'url' in place
  const first = openDatabase(isPostgres ? { ...place, queryTimeoutMs: 0 } : place, onFault)
  try {
    await migrate(first.db, isPostgres ? place.schema : undefined)
  } catch (error) {
    await first.close()
    throw error
  }
  if (!isPostgres) return first
  await first.close()
  return openDatabase(place, onFault)
}

/** Opens the database without touching its schema; faults of the engine show at the first query. */
export function openDatabase(
  place: DatabasePlace,
  onFault: (cause: unknown) => void,
): OpenDatabase {
  if ('file' in place) {
    const db = new Kysely<Database>({ dialect: createNodeSqliteDialect(place.file) })
    return { db, dialect: 'sqlite', close: () => db.destroy() }
  }
  const pool = new pg.Pool({
    connectionString: place.url,
    max: poolLimit,
    connectionTimeoutMillis: connectTimeoutMs,
    // Zero stands for none.
    query_timeout: place.queryTimeoutMs ?? queryTimeoutMs,
    statement_timeout: place.queryTimeoutMs ?? queryTimeoutMs,
    types: { getTypeParser: readType as typeof pg.types.getTypeParser },
    ...(place.schema === undefined ? {} : { options: `-c search_path=${place.schema}` }),
  })
  // An idle connection that the database drops is reported here; without a listener it would end the process.
  pool.on('error', onFault)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, dialect: 'postgres', close: () => db.destroy() }
}

const int8Oid = 20
const numericOid = 1700

// Ids, epoch ms and counters stay below 2^53; `count` and `sum` come as int8 and numeric.
function readType(oid: number, format?: 'text' | 'binary') {
  if (oid === int8Oid || oid === numericOid) return Number
  return format === 'binary' ? pg.types.getTypeParser(oid, 'binary') : pg.types.getTypeParser(oid)
}
