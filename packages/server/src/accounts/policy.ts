import type { InputProblemKey } from '../http/app-error.ts'
import { commonPasswords } from './common-passwords.ts'

/** The form of a username by which it is unique: no spelling, width or case makes a second one (NFKC). */
export const usernameKeyOf = (username: string) => username.normalize('NFKC').toLowerCase()

/** The form of an e-mail address by which it is unique; null for none. */
export const emailKeyOf = (email: string) =>
  email === '' ? null : email.normalize('NFKC').toLowerCase()

/** What is wrong with a new password beyond its length, as a problem of the field `path`. */
export function judgePassword(path: string, password: string, username: string): InputProblemKey[] {
  const plain = password.normalize('NFKC').toLowerCase()
  if (plain === usernameKeyOf(username)) return [{ path, code: 'same_as_username' }]
  // "password1!" is no better than "password": figures and signs at the end are tried first.
  const core = plain.replace(/[\d\W_]+$/, '')
  const isCommon = commonPasswords.has(plain) || (core !== plain && commonPasswords.has(core))
  const isOneCharacter = new Set(plain).size === 1
  return isCommon || isOneCharacter ? [{ path, code: 'too_common' }] : []
}
