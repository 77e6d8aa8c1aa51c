import type { Clock } from '@homeport/tunnel'
import type { HeldBudget } from '../carry/held-budget.ts'
import type { DoorLimits } from './limits.ts'
import type { Resolve } from './passage.ts'
import type { IsTrustedAddress } from './proxy-trust.ts'

/** The part of a logger that the door uses. */
export interface DoorLog {
  debug(facts: object, message: string): void
  error(facts: object, message: string): void
}

/** One visitor's connection, as the door sees it. */
export interface Connection {
  /** Clock ms at which the wait that is on ends; the door's sweep compares. */
  deadline(): number
  timedOut(): void
  /** No request is under way: it says nothing, or has not finished saying what it wants. */
  isIdle(): boolean
  /** Takes no further request; closes at once between two. */
  retire(): void
  destroy(): void
}

/** What all connections of one door share. */
export interface DoorContext {
  readonly limits: DoorLimits
  readonly resolve: Resolve
  readonly isTrusted: IsTrustedAddress
  readonly log: DoorLog
  readonly clock: Clock
  readonly held: HeldBudget
  readonly counters: { requests: number; refused: number; waiting: number }
  /** Clock ms. */
  now(): number
  nextFlow(): string
  /** Called once for each connection when the door no longer has to watch it. */
  release(connection: Connection): void
}
