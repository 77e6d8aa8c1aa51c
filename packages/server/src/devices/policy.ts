import type { AccessWay } from '@homeport/contract'

/** Devices one user may have (decisions.md section 3). */
export const deviceLimit = 500

/** A device that has no token waits this long to be bound, in ms. */
export const pairingLifetimeMs = 10 * 60 * 1000

/** Devices that may wait at once from one address; a home behind one address has a handful. */
export const waitingLimitPerAddress = 10

/** Devices that may wait at once in total: about 5 MB of rows, whoever asks from however many addresses. */
export const waitingLimit = 10_000

/** Why a name does not lead anywhere for somebody, as `GET /api/router_info/` tells it. */
export function decideReason(
  name: { enabled: boolean; paused: boolean; online: boolean; access: readonly AccessWay[] },
  isOwner: boolean,
): 'ok' | 'unknown' | 'offline' | 'disabled' | 'paused' | 'denied' {
  // To a stranger a disabled name is like one that does not exist: the relay treats it so too.
  if (!name.enabled) return isOwner ? 'disabled' : 'unknown'
  if (!isOwner && !name.access.includes('public')) return 'denied'
  if (name.paused) return 'paused'
  return name.online ? 'ok' : 'offline'
}
