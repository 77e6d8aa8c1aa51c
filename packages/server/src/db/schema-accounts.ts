import type { Generated } from 'kysely'

// Instants are epoch ms; booleans are 0 or 1, on both engines.

/** An account. */
export interface UserTable {
  id: Generated<number>
  /** As shown. */
  username: string
  /** NFKC and lower case: unique whatever the spelling. */
  username_key: string
  /** As typed; empty where none was given. */
  email: string
  /** Lower case, unique; null where there is none. */
  email_key: string | null
  /** Argon2id, PHC string. */
  password_hash: string
  /** The enrolment token, sealed by the token vault: it must be shown again. */
  token_sealed: string
  /** HMAC of the enrolment token, for look-up. */
  token_index: string
  is_staff: number
  is_superuser: number
  is_promoter: number
  readed_announcement_id: Generated<number>
  accepted_terms_of_service: Generated<number>
  accepted_terms_of_payment: Generated<number>
  created_at: number
}

/** One sign-in on one browser. Ended rows stay for a day: relays ask which gate passes died with them. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** SHA-256 of the cookie's value, base64url: a stolen table opens nothing. */
  token_hash: string
  /** Names the session towards relays; not a secret. */
  public_id: string
  user_agent: string
  address: string
  created_at: number
  last_seen_at: number
  /** Last time the password was shown. */
  confirmed_at: number
  /** The latest end, whatever its use. */
  expires_at: number
  ended_at: number | null
}

/** A single-use sign-up link of staff. */
export interface InviteTable {
  id: Generated<number>
  /** SHA-256 of the code, base64url. */
  code_hash: string
  remark: string
  created_by: number | null
  created_at: number
  expires_at: number
  used_at: number | null
  used_by: number | null
}

/** The one-time code that makes an administrator; its row goes with its use. */
export interface SetupCodeTable {
  /** HMAC of the code, base64url. */
  code_hash: string
  created_at: number
}

/** A notice of staff to everybody. */
export interface AnnouncementTable {
  id: Generated<number>
  title: string
  detail: string
  url: string
  display: number
  created_at: number
}

/** Tables of the rooms accounts, sign-in, staff and announcements. */
export interface AccountTables {
  users: UserTable
  sessions: SessionTable
  invites: InviteTable
  setup_codes: SetupCodeTable
  announcements: AnnouncementTable
}
