import type { Generated } from 'kysely'

/** Two-step codes of an account, at most one row each; without `confirmed_at` it guards nothing yet. */
export interface TotpTable {
  user_id: number
  /** AES-256-GCM text, see `secret-box.ts`: the server has to compute the code itself. */
  secret_sealed: string
  /** The latest time step (30 s each) of which a code was taken; none at or before it is taken again. */
  last_step: number
  created_at: number
  confirmed_at: number | null
}

/** One recovery code. Rows stay when used, so that the count of what is left is true, and go with the next set. */
export interface RecoveryCodeTable {
  user_id: number
  /** HMAC of the code and its account, base64url. */
  code_hash: string
  used_at: number | null
}

/** The public half of a passkey. */
export interface PasskeyTable {
  id: Generated<number>
  user_id: number
  /** The authenticator's name for it, base64url. */
  credential_id: string
  /** COSE key, base64url. */
  public_key: string
  /** The authenticator's counter at the last use; 0 where it keeps none. */
  counter: number
  /** JSON list of the ways to reach the authenticator. */
  transports: string
  is_synced: number
  name: string
  created_at: number
  last_used_at: number | null
}

/** Tables of the room second-factor. */
export interface SecondFactorTables {
  totp_factors: TotpTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
}
