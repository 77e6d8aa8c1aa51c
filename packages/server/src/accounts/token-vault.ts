import { createHmac } from 'node:crypto'
import type { ServerKeys } from '../keys.ts'
import { openSealedText, sealText } from '../sealed-text.ts'

/** Keeps enrolment tokens so that they can be shown again, and found without being read. */
export interface TokenVault {
  /** The sealed token, and the index that finds it. */
  seal(token: string): { sealed: string; index: string }
  /** Throws where the text was changed or another secret key sealed it. */
  open(sealed: string): string
  /** HMAC of a token, for look-up. */
  indexOf(token: string): string
}

/** Makes the vault of one secret key. */
export function createTokenVault(
  keys: Pick<ServerKeys, 'id' | 'tokenEncryption' | 'tokenIndex'>,
): TokenVault {
  const key = { id: keys.id, bytes: keys.tokenEncryption }
  const indexOf = (token: string) =>
    createHmac('sha256', keys.tokenIndex).update(token.toLowerCase()).digest('base64url')
  return {
    indexOf,
    seal: token => ({ sealed: sealText(key, Buffer.from(token)), index: indexOf(token) }),
    open: sealed => openSealedText(key, sealed).toString(),
  }
}
