import { readPhone } from '@homeport/contract'
import type { UserKey } from './user-store.ts'

/** The form of a username by which it is unique: no spelling, width or case makes a second one (NFKC). */
export const usernameKeyOf = (username: string) => username.normalize('NFKC').toLowerCase()

/** The form of an e-mail address by which it is unique; null for none. */
export const emailKeyOf = (email: string) =>
  email === '' ? null : email.normalize('NFKC').toLowerCase()

/** The unique column, and the value in it, that somebody means who types this. */
export function userKeyOf(account: string): [UserKey, string] {
  // No username holds an @ or a +, or is a number alone: the three cannot be confused.
  if (account.includes('@')) return ['email_key', emailKeyOf(account) ?? '']
  const number = /^\+?[\d\s]+$/.test(account) ? readPhone(account) : null
  if (number?.ok) return ['phone_number', number.phone]
  return ['username_key', usernameKeyOf(account)]
}
