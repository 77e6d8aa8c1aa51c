import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import type { ServerKeys } from '../keys.ts'

const nonceBytes = 12
const tagBytes = 16

/** Keeps enrolment tokens so that they can be shown again, and found without being read. */
export interface TokenVault {
  /** AES-256-GCM ciphertext as text: `keyId.nonce.ciphertext+tag`, bound to its index. */
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
  const indexOf = (token: string) =>
    createHmac('sha256', keys.tokenIndex).update(token.toLowerCase()).digest('base64url')
  return {
    indexOf,
    seal(token) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', keys.tokenEncryption, nonce)
      const text = Buffer.concat([
        cipher.update(token, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      const parts = [keys.id, nonce.toString('base64url'), text.toString('base64url')]
      return { sealed: parts.join('.'), index: indexOf(token) }
    },
    open(sealed) {
      const [id, nonce, text] = sealed.split('.')
      if (id !== keys.id || nonce === undefined || text === undefined) {
        throw new Error(`the token was sealed with another secret key (${id}, not ${keys.id})`)
      }
      const bytes = Buffer.from(text, 'base64url')
      const decipher = createDecipheriv(
        'aes-256-gcm',
        keys.tokenEncryption,
        Buffer.from(nonce, 'base64url'),
        // A shorter tag would be easier to forge, and Node takes any length unless told.
        { authTagLength: tagBytes },
      )
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      return (
        decipher.update(bytes.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      )
    },
  }
}
