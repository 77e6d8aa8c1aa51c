import { randomBytes } from 'node:crypto'

/** A random id of 128 bits as 22 characters of base64url: it stands in URLs and cannot be guessed. */
export function createRandomId(): string {
  return randomBytes(16).toString('base64url')
}
