import type { UserEvent } from '@homeport/contract'
import type { UserId } from '../accounts/user-id.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import type { NoticeKind } from '../notices/letters.ts'

/** A console session that ended: by sign-out, revocation, a new password or a new sign-in over it. */
export interface SessionEnd {
  userId: UserId
  sessionId: number
  publicId: string
}

/** Something that guards an account changed, or it was entered from elsewhere: its owner is told by mail. */
export interface SecurityChange {
  userId: UserId
  kind: NoticeKind
  /** Where it was asked for; null for the operator. */
  place: RequestPlace | null
  /** The address to tell where that is not the account's present one. */
  to?: string
}

/** Ends a subscription; a second call does nothing. */
export type Unsubscribe = () => void

/** Carries what happened between the rooms of one server and to open pages. Delivery is at once, in order, at most once. */
export interface EventBus {
  emit(to: UserId | 'everyone', event: UserEvent): void
  subscribe(userId: UserId, listener: (event: UserEvent) => void): Unsubscribe
  emitSessionEnd(end: SessionEnd): void
  onSessionEnd(listener: (end: SessionEnd) => void): Unsubscribe
  emitSecurityChange(change: SecurityChange): void
  onSecurityChange(listener: (change: SecurityChange) => void): Unsubscribe
}

/** Makes the bus of one server. A listener that throws is reported and keeps no other from hearing. */
export function createEventBus(onFault: (cause: unknown) => void): EventBus {
  const pages = new Map<UserId, Set<(event: UserEvent) => void>>()
  const endings = new Set<(end: SessionEnd) => void>()
  const changes = new Set<(change: SecurityChange) => void>()

  function tell<T>(listeners: Iterable<(value: T) => void>, value: T): void {
    // A copy: a listener may unsubscribe itself or others while it hears.
    for (const listener of [...listeners]) {
      try {
        listener(value)
      } catch (cause) {
        onFault(cause)
      }
    }
  }

  return {
    emit(to, event) {
      if (to !== 'everyone') return tell(pages.get(to) ?? [], event)
      for (const listeners of [...pages.values()]) tell(listeners, event)
    },
    subscribe(userId, listener) {
      const listeners = pages.get(userId) ?? new Set()
      pages.set(userId, listeners)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && pages.get(userId) === listeners) pages.delete(userId)
      }
    },
    emitSecurityChange: change => tell(changes, change),
    onSecurityChange(listener) {
      changes.add(listener)
      return () => {
        changes.delete(listener)
      }
    },
    emitSessionEnd: end => tell(endings, end),
    onSessionEnd(listener) {
      endings.add(listener)
      return () => {
        endings.delete(listener)
      }
    },
  }
}
