import { leavingDays } from '@homeport/contract'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import type { RecordService } from '../records/service.ts'
import type { RelayHub } from '../relays/hub.ts'
import {
  deleteUser,
  listDeviceIds,
  listDue,
  lockDue,
  lockSuperusers,
  markLeaving,
  unmarkLeaving,
} from './leaving-store.ts'
import type { Sessions } from './sessions.ts'
import type { UserId } from './user-id.ts'
import { countSuperusers, getUser } from './user-store.ts'

/** An account that is leaving can be restored for this long in ms. */
export const leavingMs = leavingDays * 24 * 60 * 60 * 1000

/** Accounts removed in one round: a round stays short whatever has piled up. */
const removalsPerRound = 20

/** Accounts that leave: switched off at once, removed after a time to think it over. */
export interface Leaving {
  /**
   * Ends every session, and lets nothing lead to the devices any more. Answers when it is over (epoch ms); an account that
   * is leaving already keeps its day. Without a place it is the operator who asks. Throws `last_administrator`.
   */
  begin(userId: UserId, place?: RequestPlace): Promise<number>
  /** When the account is removed, in epoch ms; null for one that stays. */
  deletesAt(userId: UserId): Promise<number | null>
  /** Undoes it; false for an account that was not leaving. */
  restore(userId: UserId): Promise<boolean>
  /** Removes accounts whose time is over; answers how many. One that cannot be removed is logged and stays for the next round. */
  removeDue(): Promise<number>
}

/** Makes the service. */
export function createLeaving(
  { db, clock, logger, bus }: Pick<ServerContext, 'db' | 'clock' | 'logger' | 'bus'>,
  {
    sessions,
    records,
    hub,
  }: {
    sessions: Pick<Sessions, 'endAllAfter'>
    records: Pick<RecordService, 'releaseAll' | 'routeKeysOf'>
    hub: Pick<RelayHub, 'revokeDevice' | 'routesChanged'>
  },
): Leaving {
  /** Tells relays that what they know of the account's devices and names is stale. */
  async function tellRelays(userId: UserId): Promise<void> {
    for (const { id, uid } of await listDeviceIds(db, userId)) {
      hub.routesChanged(await records.routeKeysOf(userId, id))
      // Not `deleted`: an agent that is told so never comes back, and the owner may.
      hub.revokeDevice(uid, 'paused')
    }
  }

  async function remove(userId: UserId): Promise<boolean> {
    const gone = await db.transaction().execute(async transaction => {
      if (!(await lockDue(transaction, userId, clock.now()))) return null
      const devices = await listDeviceIds(transaction, userId)
      const keys = []
      for (const { id } of devices) {
        keys.push(...(await records.releaseAll(transaction, userId, id)))
      }
      await deleteUser(transaction, userId)
      return { devices, keys }
    })
    if (gone === null) return false
    hub.routesChanged(gone.keys)
    for (const { uid } of gone.devices) hub.revokeDevice(uid, 'deleted')
    logger.info({ user: userId }, 'account removed')
    return true
  }

  return {
    async begin(userId, place) {
      const now = clock.now()
      const isNew = await sessions.endAllAfter(userId, null, async transaction => {
        const { is_superuser, delete_at } = await getUser(transaction, userId)
        if (is_superuser === 1 && delete_at === null) {
          await lockSuperusers(transaction)
          if ((await countSuperusers(transaction)) < 2) throw new AppError('last_administrator')
        }
        return markLeaving(transaction, userId, { now, deleteAt: now + leavingMs })
      })
      await tellRelays(userId)
      if (isNew) {
        logger.info({ user: userId }, 'account is leaving')
        bus.emitSecurityChange({ userId, kind: 'leaving_begun', place: place ?? null })
      }
      return (await getUser(db, userId)).delete_at ?? now
    },

    deletesAt: async userId => (await getUser(db, userId)).delete_at,

    async restore(userId) {
      // What began a session while the account was leaving must not come alive with it.
      const isNew = await sessions.endAllAfter(userId, null, each => unmarkLeaving(each, userId))
      if (!isNew) return false
      await tellRelays(userId)
      logger.info({ user: userId }, 'account restored')
      return true
    },

    async removeDue() {
      let removed = 0
      for (const userId of await listDue(db, clock.now(), removalsPerRound)) {
        // The others' time is over as well, whatever keeps this one.
        const isGone = await remove(userId).catch(cause => {
          logger.error({ err: cause, user: userId }, 'an account was not removed')
          return false
        })
        if (isGone) removed += 1
      }
      return removed
    },
  }
}
