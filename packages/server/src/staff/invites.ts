import { createHash, randomBytes } from 'node:crypto'
import type { Invite } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { AppError } from '../http/app-error.ts'
import {
  deleteUnusedInvite,
  hasUsableInvite,
  insertInvite,
  listNewestInvites,
  type StoredInvite,
  takeInvite,
} from './store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Invitations shown at once. */
const listLimit = 100

/** Single-use sign-up links of staff. */
export interface Invites {
  list(): Promise<Invite[]>
  /**
   * Makes one; its address holds the code and is shown this once. `createdBy` is null from the command line, `origin` is where
   * the console is reached.
   */
  create(input: {
    createdBy: UserId | null
    remark: string
    days: number
    origin: string
  }): Promise<Invite & { url: string }>
  /** Takes an unused one back; throws `not_found`. */
  remove(id: number): Promise<void>
  /** Passes where the code may be used; throws `invite_invalid`. */
  require(code: string): Promise<void>
  /** Uses the code up inside the caller's transaction; throws `invite_invalid` for all but one of those that race. */
  take(db: Kysely<Database>, code: string, userId: UserId): Promise<void>
}

/** Makes the service. */
export function createInvites({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Invites {
  const hashOf = (code: string) => createHash('sha256').update(code).digest('base64url')
  return {
    list: async () => (await listNewestInvites(db, listLimit)).map(presentInvite),

    async create({ createdBy, remark, days, origin }) {
      const code = randomBytes(24).toString('base64url')
      const now = clock.now()
      const invite = await insertInvite(db, {
        code_hash: hashOf(code),
        remark,
        created_by: createdBy,
        created_at: now,
        expires_at: now + days * dayMs,
        used_at: null,
        used_by: null,
      })
      return { ...presentInvite(invite), url: `${origin}/#/login?invite=${code}` }
    },

    async remove(id) {
      if (!(await deleteUnusedInvite(db, id))) throw new AppError('not_found')
    },

    async require(code) {
      if (!(await hasUsableInvite(db, hashOf(code), clock.now()))) {
        throw new AppError('invite_invalid')
      }
    },

    async take(transaction, code, userId) {
      const use = { codeHash: hashOf(code), userId, now: clock.now() }
      if (!(await takeInvite(transaction, use))) throw new AppError('invite_invalid')
    },
  }
}

const toInstant = (epochMs: number) => new Date(epochMs).toISOString()

const presentInvite = (invite: StoredInvite): Invite => ({
  id: invite.id,
  remark: invite.remark,
  created_at: toInstant(invite.created_at),
  expires_at: toInstant(invite.expires_at),
  used_at: invite.used_at === null ? null : toInstant(invite.used_at),
  used_by: invite.used_by,
})
