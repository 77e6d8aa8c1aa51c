import type { Generated } from 'kysely'

// Instants are epoch ms.

/** A sign-on that waits for a person on another device, then the code that it ended with. */
export interface SsoRequestTable {
  /** SHA-256 of the state, base64url: what the browser that began comes back with. */
  state_hash: string
  /** SHA-256 of the id that the QR code holds, base64url. */
  id_hash: string
  /** Category of its events. */
  category: string
  /** HMAC of what only the browser that began holds. */
  binding: string
  /** PKCE, S256. */
  code_challenge: string
  redirect_uri: string
  /** Four digits that both screens show. */
  number: string
  address: string
  user_agent: string
  created_at: number
  expires_at: number
  /** The account that opened it first; nobody else answers it. */
  user_id: number | null
  answer: 'confirmed' | 'refused' | null
  /** Console session that confirmed: its end is the code's end. */
  session_id: number | null
  /** When that session's owner last proved who they are. */
  authenticated_at: number | null
  /** SHA-256 of the code, base64url. */
  code_hash: string | null
  code_expires_at: number | null
  code_used_at: number | null
}

/** What the browser that began is told, in order. */
export interface SsoEventTable {
  id: Generated<number>
  category: string
  binding: string
  /** Grows within a category. */
  timestamp: number
  /** JSON, sealed: it may hold a code. */
  data_sealed: string
  /** Last time it was put into an answer. */
  delivered_at: number | null
}

/** Tables of the room sso-provider. */
export interface SsoProviderTables {
  sso_requests: SsoRequestTable
  sso_events: SsoEventTable
}
