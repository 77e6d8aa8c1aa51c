import type { AccountTables } from './schema-accounts.ts'
import type { CountedUseTables } from './schema-counted-uses.ts'
import type { DeviceTables } from './schema-devices.ts'
import type { SecondFactorTables } from './schema-second-factor.ts'
import type { SingleUseTables } from './schema-single-uses.ts'
import type { SsoTables } from './schema-sso.ts'
import type { SsoProviderTables } from './schema-sso-provider.ts'

/** Every table; each room names its own rows. */
export interface Database
  extends AccountTables,
    CountedUseTables,
    DeviceTables,
    SecondFactorTables,
    SingleUseTables,
    SsoProviderTables,
    SsoTables {}
