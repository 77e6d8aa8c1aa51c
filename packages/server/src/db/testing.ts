import { randomBytes } from 'node:crypto'
import process from 'node:process'
import pg from 'pg'
import { describe } from 'vitest'
import { type OpenDatabase, openMigratedDatabase } from './database.ts'

/** Opens an empty, migrated database of its own; `close` also removes it. */
export type OpenTestDatabase = () => Promise<OpenDatabase>

function failOnFault(cause: unknown): never {
  throw cause
}

/** An SQLite database in memory. */
export async function openTestSqlite(): Promise<OpenDatabase> {
  return openMigratedDatabase({ file: ':memory:' }, failOnFault)
}

/** The PostgreSQL of the tests; empty where there is none. */
export const postgresUrl = process.env.HOMEPORT_TEST_DATABASE_URL ?? ''

async function openTestPostgres(): Promise<OpenDatabase> {
  const schema = await createTestSchema()
  const place = { url: postgresUrl, schema: schema.name }
  const database = await whileSchemasStay(() => openMigratedDatabase(place, failOnFault))
  return {
    ...database,
    async close() {
      await database.close()
      await schema.drop()
    },
  }
}

/** An empty schema of its own. */
export async function createTestSchema(): Promise<{ name: string; drop(): Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await withClient(client => client.query(`create schema ${name}`))
  return {
    name,
    drop: () =>
      withClient(async client => {
        await client.query(`select pg_advisory_lock(${catalogLock})`)
        await client.query(`drop schema ${name} cascade`)
      }),
  }
}

/** Tests of other files drop their schemas, and a migration, which looks at every schema's tables, fails when one goes meanwhile. */
export const whileSchemasStay = <T>(migrate: (client: pg.Client) => Promise<T>): Promise<T> =>
  withClient(async client => {
    await client.query(`select pg_advisory_lock_shared(${catalogLock})`)
    return migrate(client)
  })

/** Any number will do. */
const catalogLock = 8_214_001

/** The locks that a client took go with it. */
async function withClient<T>(use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/** Runs the same tests on SQLite and, where HOMEPORT_TEST_DATABASE_URL names one, on PostgreSQL (else they count as skipped). */
export function describeOnEveryEngine(
  name: string,
  define: (openTestDatabase: OpenTestDatabase) => void,
): void {
  describe(`${name} on sqlite`, () => define(openTestSqlite))
  describe.skipIf(postgresUrl === '')(`${name} on postgres`, () => define(openTestPostgres))
}
