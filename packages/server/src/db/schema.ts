import type { AccountTables } from './schema-accounts.ts'
import type { CaptchaTables } from './schema-captchas.ts'
import type { DeviceTables } from './schema-devices.ts'
import type { SecondFactorTables } from './schema-second-factor.ts'

/** Every table; each room names its own rows. */
export interface Database extends AccountTables, CaptchaTables, DeviceTables, SecondFactorTables {}
