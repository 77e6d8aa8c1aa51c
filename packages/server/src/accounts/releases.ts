import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { dropSingleUses } from '../db/single-use.ts'
import { AppError } from '../http/app-error.ts'
import type { SecondFactor } from '../second-factor/service.ts'
import { deleteEmailChange } from './email-store.ts'
import { resetLink, type Sessions } from './sessions.ts'
import type { UserId } from './user-id.ts'
import { getUser, releaseEmail, releasePhone } from './user-store.ts'
import { requireWayIn } from './ways-in.ts'

/** What the operator may take from an account. */
export type Releasable = 'phone' | 'email' | 'second_factor'

/** `none`: the account has none. `last_way_in`: nothing that is surely there would open the account any more. */
export type ReleaseOutcome = 'released' | 'none' | 'last_way_in'

/** What its owner lost: a number or an address, so that another account can have it; two-step codes together with passkeys. */
export interface Releases {
  /** Ends every session, too: whoever holds what was lost by now may have begun one. */
  release(userId: UserId, what: Releasable, options: { isForced: boolean }): Promise<ReleaseOutcome>
}

/** Makes the service. */
export function createReleases(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  {
    sessions,
    secondFactor,
  }: {
    sessions: Pick<Sessions, 'endAllAfter'>
    secondFactor: Pick<SecondFactor, 'isThere' | 'remove'>
  },
): Releases {
  async function take(transaction: Kysely<Database>, userId: UserId, what: Releasable) {
    if (what === 'phone') return releasePhone(transaction, userId)
    if (what === 'second_factor') return secondFactor.remove(transaction, userId)
    await deleteEmailChange(transaction, userId)
    await dropSingleUses(transaction, resetLink, userId)
    await releaseEmail(transaction, userId)
  }

  async function has(userId: UserId, what: Releasable): Promise<boolean> {
    const { phone_number: phone, email_key: email } = await getUser(db, userId)
    if (what === 'phone') return phone !== null
    if (what === 'email') return email !== null
    return secondFactor.isThere(userId)
  }

  return {
    async release(userId, what, { isForced }) {
      if (!(await has(userId, what))) return 'none'
      try {
        await sessions.endAllAfter(userId, null, async transaction => {
          await take(transaction, userId, what)
          if (!isForced) await requireWayIn(transaction, config, userId)
        })
      } catch (error) {
        if (error instanceof AppError && error.code === 'last_way_in') return error.code
        throw error
      }
      return 'released'
    },
  }
}
