import type { AccountTables } from './schema-accounts.ts'
import type { DeviceTables } from './schema-devices.ts'

/** Every table; each room names its own rows. */
export interface Database extends AccountTables, DeviceTables {}
