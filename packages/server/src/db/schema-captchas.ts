import type { CaptchaKind, CaptchaScene, workKind } from '@homeport/contract'

// Instants are epoch ms.

/** A challenge, then its ticket. The row goes with the ticket's use, or some time after its end. */
export interface CaptchaTable {
  /** SHA-256 of the key, base64url. */
  key_hash: string
  scene: CaptchaScene
  kind: CaptchaKind | typeof workKind
  /** The part of the address that limits count: challenge and ticket work for no other. */
  limit_key: string
  /** JSON of what is right; its form is the kind's. */
  answer: string
  created_at: number
  /** End of the challenge, after its right answer end of the ticket. */
  expires_at: number
  /** The one try was made. */
  answered_at: number | null
  /** SHA-256 of the ticket, base64url; null until the answer was right. */
  ticket_hash: string | null
}

/** Tables of the room captcha. */
export interface CaptchaTables {
  captchas: CaptchaTable
}
