import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const nonceBytes = 12
const tagBytes = 16

/** A key of 32 bytes, and the id that tells which secret key of the server it was derived from. */
export interface SealingKey {
  readonly id: string
  readonly bytes: Buffer
}

/**
 * AES-256-GCM as text: `keyId.nonce.ciphertext+tag`. `owner` is not in it, but has to be named again to open it: moved to another row, it
 * opens nothing.
 */
export function sealText(key: SealingKey, secret: Uint8Array, owner = ''): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(Buffer.from(owner))
  const text = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
  return [key.id, nonce.toString('base64url'), text.toString('base64url')].join('.')
}

/** The secret again. Throws where the text was changed or moved, or another secret key sealed it. */
export function openSealedText(key: SealingKey, sealed: string, owner = ''): Buffer<ArrayBuffer> {
  const [id, nonce, text] = sealed.split('.')
  if (id !== key.id || nonce === undefined || text === undefined) {
    throw new Error(`a secret was sealed with another secret key (${id}, not ${key.id})`)
  }
  const bytes = Buffer.from(text, 'base64url')
  // A shorter tag would be easier to forge, and Node takes any length unless told.
  const options = { authTagLength: tagBytes }
  const decipher = createDecipheriv(
    'aes-256-gcm',
    key.bytes,
    Buffer.from(nonce, 'base64url'),
    options,
  )
  decipher.setAAD(Buffer.from(owner)).setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
}
