import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerKeys } from '../keys.ts'

const nonceBytes = 12
const tagBytes = 16

/** Keeps the secrets behind two-step codes. */
export interface SecretBox {
  /** AES-256-GCM ciphertext as text: `keyId.nonce.ciphertext+tag`, bound to the account: moved to another row it opens nothing. */
  seal(userId: UserId, secret: Uint8Array): string
  /** Throws where the text was changed, moved, or sealed with another secret key. */
  open(userId: UserId, sealed: string): Uint8Array<ArrayBuffer>
}

/** Makes the box of one secret key. */
export function createSecretBox(keys: Pick<ServerKeys, 'id' | 'totpEncryption'>): SecretBox {
  const ownerOf = (userId: UserId) => Buffer.from(`user ${userId}`)
  return {
    seal(userId, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keys.totpEncryption, nonce)
      cipher.setAAD(ownerOf(userId))
      const text = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
      return [keys.id, nonce.toString('base64url'), text.toString('base64url')].join('.')
    },
    open(userId, sealed) {
      const [id, nonce, text] = sealed.split('.')
      if (id !== keys.id || nonce === undefined || text === undefined) {
        throw new Error(`the secret was sealed with another secret key (${id}, not ${keys.id})`)
      }
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keys.totpEncryption,
        Buffer.from(nonce, 'base64url'),
        { authTagLength: tagBytes },
      )
      decipher.setAAD(ownerOf(userId))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return new Uint8Array(
        Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()]),
      )
    },
  }
}
