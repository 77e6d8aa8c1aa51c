import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { up as createAccountTables } from './migrations/0001-accounts.ts'
import { up as createDeviceTables } from './migrations/0002-devices-and-records.ts'
import { up as createCaptchaTables } from './migrations/0003-captchas.ts'
import { up as createSecondFactorTables } from './migrations/0004-second-factors.ts'
import type { Database } from './schema.ts'

// Names are what the database remembers: never change one that has landed, nor its content.
const migrations: Record<string, Migration> = {
  '0001-accounts': { up: createAccountTables },
  '0002-devices-and-records': { up: createDeviceTables },
  '0003-captchas': { up: createCaptchaTables },
  '0004-second-factors': { up: createSecondFactorTables },
}

/** Brings the schema up to date; several servers that start together wait for one another. Throws the first fault. */
export async function migrate(db: Kysely<Database>, schema?: string): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  })
  const { error } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
}
