import type { SmsScene } from '@homeport/contract'
import type { Actor } from '../http/actor.ts'

/** Where a request about a code comes from. */
export interface PhonePlace {
  actor: Actor | null
  address: string
  userAgent: string
  /** What only this browser holds. */
  browserKey: string
}

/** Whom a code belongs to: before a session the browser that asked, so that strangers cannot use its tries up. */
export function ownerOf(
  scene: SmsScene,
  { actor, browserKey }: Pick<PhonePlace, 'actor' | 'browserKey'>,
): string {
  if (scene === 'login' || scene === 'reset') return `browser ${browserKey}`
  // The routes have refused before; a code of nobody must never be one of somebody.
  if (actor === null) throw new TypeError(`a code for ${scene} needs an account`)
  return `user ${actor.userId}`
}
