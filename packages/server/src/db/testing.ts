import { randomBytes } from 'node:crypto'
import process from 'node:process'
import pg from 'pg'
import { describe } from 'vitest'
import { type OpenDatabase, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'

/** Opens an empty, migrated database of its own; `close` also removes it. */
export type OpenTestDatabase = () => Promise<OpenDatabase>

function failOnFault(cause: unknown): never {
  throw cause
}

/** An SQLite database in memory. */
export async function openTestSqlite(): Promise<OpenDatabase> {
  const database = openDatabase({ file: ':memory:' }, failOnFault)
  await migrate(database.db)
  return database
}

async function openTestPostgres(url: string): Promise<OpenDatabase> {
  const schema = `test_${randomBytes(8).toString('hex')}`
  await runOnce(url, `create schema ${schema}`)
  const database = openDatabase({ url, schema }, failOnFault)
  await migrate(database.db, schema)
  return {
    ...database,
    async close() {
      await database.close()
      await runOnce(url, `drop schema ${schema} cascade`)
    },
  }
}

async function runOnce(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Runs the same tests on SQLite and, where HOMEPORT_TEST_DATABASE_URL names one, on PostgreSQL (else they count as skipped). */
export function describeOnEveryEngine(
  name: string,
  define: (openTestDatabase: OpenTestDatabase) => void,
): void {
  const url = process.env.HOMEPORT_TEST_DATABASE_URL ?? ''
  describe(`${name} on sqlite`, () => define(openTestSqlite))
  describe.skipIf(url === '')(`${name} on postgres`, () => define(() => openTestPostgres(url)))
}
