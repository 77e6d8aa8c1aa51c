import type { Generated } from 'kysely'

/** Somebody at a provider who is an account here. */
export interface IdentityTable {
  id: Generated<number>
  user_id: number
  provider: string
  /** Unique at the provider. */
  subject: string
  display_name: string
  created_at: number
  last_used_at: number | null
}

/** Tables of the room sso. */
export interface SsoTables {
  identities: IdentityTable
}
