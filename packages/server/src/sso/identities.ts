import type { Identity } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import { requireWayIn } from '../accounts/ways-in.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import type { SsoIdentity } from './adapter.ts'
import {
  deleteOwnIdentity,
  findIdentityOwner,
  insertIdentity,
  listOwnIdentities,
  noteIdentityUse,
} from './identity-store.ts'

/** Characters kept of the name that a provider gives. */
const displayNameLimit = 100

/** Identities of all users. */
export interface Identities {
  /** The account that is linked, null where there is none. */
  find(provider: string, identity: SsoIdentity): Promise<UserId | null>
  /**
   * Links inside the caller's transaction; false where the account has it already. Throws `identity_taken` where it is linked to
   * another one.
   */
  link(
    db: Kysely<Database>,
    userId: UserId,
    provider: string,
    identity: SsoIdentity,
  ): Promise<boolean>
  /** Notes a sign-in by it. */
  noteUse(provider: string, identity: SsoIdentity): Promise<void>
  list(actor: Actor): Promise<Identity[]>
  /** Throws `not_found`, `last_way_in`. */
  unlink(actor: Actor, id: number, place: RequestPlace): Promise<void>
}

/** Makes the service. */
export function createIdentities({
  db,
  clock,
  config,
  bus,
}: Pick<ServerContext, 'db' | 'clock' | 'config' | 'bus'>): Identities {
  return {
    find: (provider, { subject }) => findIdentityOwner(db, { provider, subject }),

    async link(transaction, userId, provider, { subject, displayName = '' }) {
      const isNew = await insertIdentity(transaction, {
        user_id: userId,
        provider,
        subject,
        display_name: plainName(displayName),
        created_at: clock.now(),
        last_used_at: null,
      })
      if (isNew) return true
      const owner = await findIdentityOwner(transaction, { provider, subject })
      if (owner !== userId) throw new AppError('identity_taken')
      return false
    },

    noteUse: (provider, { subject }) =>
      noteIdentityUse(db, { provider, subject, now: clock.now() }),

    async list(actor) {
      const own = await listOwnIdentities(db, actor.userId)
      return own.map(row => ({
        id: row.id,
        provider: row.provider,
        display_name: row.display_name,
        created_at: new Date(row.created_at).toISOString(),
        last_used_at: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
      }))
    },

    async unlink({ userId }, id, place) {
      await db.transaction().execute(async transaction => {
        if (!(await deleteOwnIdentity(transaction, userId, id))) throw new AppError('not_found')
        await requireWayIn(transaction, config, userId)
      })
      bus.emitSecurityChange({ userId, kind: 'identity_unlinked', place })
    },
  }
}

/** A provider's name for a person without what is not seen or turns the reading round, and without halves of characters. */
const plainName = (text: string) =>
  [...text.toWellFormed().replace(/[\p{C}\ufffd]/gu, '')].slice(0, displayNameLimit).join('').trim()
