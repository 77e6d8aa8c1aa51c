import type { UserId } from '../accounts/user-id.ts'
import type { ServerKeys } from '../keys.ts'
import { openSealedText, sealText } from '../sealed-text.ts'

/** Keeps the secrets behind two-step codes. */
export interface SecretBox {
  /** Sealed text, bound to the account: moved to another row it opens nothing. */
  seal(userId: UserId, secret: Uint8Array): string
  /** Throws where the text was changed, moved, or sealed with another secret key. */
  open(userId: UserId, sealed: string): Uint8Array<ArrayBuffer>
}

/** Makes the box of one secret key. */
export function createSecretBox(keys: Pick<ServerKeys, 'id' | 'totpEncryption'>): SecretBox {
  const key = { id: keys.id, bytes: keys.totpEncryption }
  const ownerOf = (userId: UserId) => `user ${userId}`
  return {
    seal: (userId, secret) => sealText(key, secret, ownerOf(userId)),
    open: (userId, sealed) => new Uint8Array(openSealedText(key, sealed, ownerOf(userId))),
  }
}
