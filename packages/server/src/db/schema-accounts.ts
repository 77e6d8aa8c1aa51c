import type { SignInWay } from '@homeport/contract'
import type { Generated } from 'kysely'
import type { Language } from '../http/language.ts'

// Instants are epoch ms; booleans are 0 or 1, on both engines.

/** An account. */
export interface UserTable {
  id: Generated<number>
  /** As shown. */
  username: string
  /** NFKC and lower case: unique whatever the spelling. */
  username_key: string
  /** As typed, proved by a link that was sent to it; empty where there is none. */
  email: string
  /** Lower case, unique; null where there is none. */
  email_key: string | null
  /** Argon2id, PHC string; empty where the account is signed in to in other ways alone. */
  password_hash: string
  /** E.164, unique; null where none is bound. */
  phone_number: string | null
  phone_bound_at: number | null
  /** What the owner's pages were last in at a sign-in: letters are written in it. Null before the first one. */
  language: Language | null
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
  /** When and in which version; null where none was accepted, or before this was written down. */
  terms_of_service_at: number | null
  terms_of_service_version: string | null
  terms_of_payment_at: number | null
  terms_of_payment_version: string | null
  /** Set together while the account is leaving: nobody is signed in to it, nothing leads to its devices. */
  delete_requested_at: number | null
  /** From here on the account is removed for good. */
  delete_at: number | null
  /** How often all sessions of the account were ended; what was proved in an earlier epoch begins none. */
  session_epoch: Generated<number>
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
  way: Generated<SignInWay>
  /** 1 where a second factor was shown too. */
  second_factor: Generated<number>
}

/** An e-mail address that waits for its link to be opened; at most one for each account. It reserves the address from nobody. */
export interface EmailChangeTable {
  user_id: number
  email: string
  /** SHA-256 of the link's token, base64url. */
  token_hash: string
  created_at: number
  expires_at: number
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
  email_changes: EmailChangeTable
  invites: InviteTable
  setup_codes: SetupCodeTable
  announcements: AnnouncementTable
}
