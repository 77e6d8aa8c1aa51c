import type { UserId } from '../accounts/user-id.ts'

/** Who makes a call: the account and the session the cookie led to. */
export interface Actor {
  readonly userId: UserId
  readonly sessionId: number
  /** Names the session towards relays. */
  readonly sessionPublicId: string
  /** Epoch ms at which the session ends at the latest. */
  readonly sessionExpiresAt: number
  /** Epoch ms until which the last sign-in counts as recent. */
  readonly recentUntil: number
  readonly isStaff: boolean
  readonly isSuperuser: boolean
  readonly isPromoter: boolean
}
