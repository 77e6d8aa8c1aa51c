import type { Invite } from '@homeport/contract'

/** Where an invitation stands. */
export type InviteState = 'open' | 'used' | 'expired'

/** Used counts before expired: a used link stays used. `now` in epoch ms. */
export function readInviteState(invite: Invite, now: number): InviteState {
  if (invite.used_at !== null) return 'used'
  return Date.parse(invite.expires_at) <= now ? 'expired' : 'open'
}
