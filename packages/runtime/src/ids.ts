import { randomBytes } from 'node:crypto'

/** A random id of 128 bits as 22 characters of base64url: it stands in URLs and cannot be guessed. */
export function createRandomId(): string {
  return randomBytes(16).toString('base64url')
}

/** Random bytes as lower-case hexadecimal, 16 bytes unless told. */
export function createRandomHex(bytes = 16): string {
  return randomBytes(bytes).toString('hex')
}
