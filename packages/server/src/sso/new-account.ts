import { randomInt } from 'node:crypto'
import { usernameSchema } from '@homeport/contract'

/** Letters and figures that nobody mixes up. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'

/**
 * Usernames to try for somebody who did not choose one: the name that the provider gives, where it can be one, then the
 * same with an ending that is free with near certainty.
 */
export function suggestUsernames(displayName: string | undefined): string[] {
  const plain = (displayName ?? '')
    .normalize('NFKC')
    .replace(/\s+/g, '-')
    .replace(/[^\p{Unified_Ideograph}々〇A-Za-z0-9_.-]/gu, '')
    .replace(/^[-_.]+/, '')
  const stem = [...plain].slice(0, 24).join('')
  const given = usernameSchema.safeParse(stem)
  const base = given.success ? given.data : 'user'
  const endings = [1, 2, 3].map(() => `${base}-${randomEnding()}`)
  return given.success ? [given.data, ...endings] : endings
}

const randomEnding = () =>
  Array.from({ length: 6 }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
