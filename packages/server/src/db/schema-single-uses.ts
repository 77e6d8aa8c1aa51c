/** Something good once and not for long: a captcha, its ticket, a challenge, the first step of a sign-in. Instants are epoch ms. */
export interface SingleUseTable {
  /** SHA-256 of purpose and key, base64url. */
  key_hash: string
  purpose: string
  /** What else has to fit: the part of the address that limits count, the browser. Empty where nothing has. */
  binding: string
  user_id: number | null
  /** What its purpose needs to know again. */
  value: string
  tries_left: number
  expires_at: number
}

/** The table that every room keeps its single-use things in. */
export interface SingleUseTables {
  single_uses: SingleUseTable
}
