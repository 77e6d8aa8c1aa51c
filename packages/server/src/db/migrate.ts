import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { up as createAccountTables } from './migrations/0001-accounts.ts'
import { up as createDeviceTables } from './migrations/0002-devices-and-records.ts'
import { up as createCaptchaTables } from './migrations/0003-captchas.ts'
import { up as createSecondFactorTables } from './migrations/0004-second-factors.ts'
import { up as createPhoneTables } from './migrations/0005-phones.ts'
import { up as createSsoTables } from './migrations/0006-sso.ts'
import { up as createSsoProviderTables } from './migrations/0007-sso-provider.ts'
import { up as createSingleUseTable } from './migrations/0008-single-uses.ts'
import { up as extendOwnAccounts } from './migrations/0009-own-accounts.ts'
import { up as mergeSignOns } from './migrations/0010-sign-ons.ts'
import { up as prepareRecovery } from './migrations/0011-recovery.ts'
import { up as countSessionEpochs } from './migrations/0012-session-epochs.ts'
import type { Database } from './schema.ts'

// Names are what the database remembers: never change one that has landed, nor its content.
const migrations: Record<string, Migration> = {
  '0001-accounts': { up: createAccountTables },
  '0002-devices-and-records': { up: createDeviceTables },
  '0003-captchas': { up: createCaptchaTables },
  '0004-second-factors': { up: createSecondFactorTables },
  '0005-phones': { up: createPhoneTables },
  '0006-sso': { up: createSsoTables },
  '0007-sso-provider': { up: createSsoProviderTables },
  '0008-single-uses': { up: createSingleUseTable },
  '0009-own-accounts': { up: extendOwnAccounts },
  '0010-sign-ons': { up: mergeSignOns },
  '0011-recovery': { up: prepareRecovery },
  '0012-session-epochs': { up: countSessionEpochs },
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
