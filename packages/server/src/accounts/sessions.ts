import { createHash, randomBytes } from 'node:crypto'
import type { SignInWay, UserSession } from '@homeport/contract'
import { createRandomId } from '@homeport/runtime'
import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { dropSingleUses } from '../db/single-use.ts'
import type { SessionEnd } from '../events/bus.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { Language } from '../http/language.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import { describePlace } from './places.ts'
import {
  confirmSession,
  deleteOldSessions,
  endEpoch,
  endSessions,
  findSession,
  findSessionByToken,
  holdEpoch,
  insertSession,
  listEndedSessions,
  listLiveSessions,
  readEpoch,
  type SessionChoice,
  type StoredSession,
  touchSession,
} from './session-store.ts'
import { parseUserId, type UserId } from './user-id.ts'
import { noteLanguage } from './user-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/** A session that is not used for this long in ms ends. */
export const sessionIdleMs = 30 * 24 * 60 * 60 * 1000

/** A session ends after this long in ms however much it is used. */
export const sessionLifetimeMs = 90 * 24 * 60 * 60 * 1000

/** For this long in ms after the password was shown, sensitive changes are let through. */
export const recentMs = 10 * 60 * 1000

/** The use of a session is written down at most once in this many ms. */
const touchPeriodMs = 60 * 1000

/** Live sessions of one user; the one that was not used for longest ends when another begins. */
const sessionLimit = 50

/** Purpose of what is kept of a sign-in that waits for its second step; it ends with the sessions of its user. */
export const waitingSignIn = 'waiting sign-in'

/** Purpose of what is kept of a sign-in to an account that is leaving; it ends with the sessions of its user. */
export const leavingSignIn = 'leaving sign-in'

/** Purpose of links to reset the password; they are void with any change of the password or the e-mail address. */
export const resetLink = 'password reset'

/** Where a sign-in comes from, and what was shown for it. */
export interface SignInPlace {
  address: string
  userAgent: string
  /** What its pages are in: letters to the account are written in it from now on. */
  language?: Language
  way?: SignInWay | undefined
  hasSecondFactor?: boolean
  /** The account's, from before its owner was proved; the present one unless told. */
  epoch?: number
}

/** Sessions of all users. */
export interface Sessions {
  /**
   * Begins a session and gives the cookie's value, which is stored nowhere. `replaces` ends: an id known before is void.
   * `confirmedAt`, epoch ms and now unless told, is when the person proved who they are. Throws `sign_in_expired`, and then
   * nothing has begun or ended, where all sessions of the account were ended since its epoch was read.
   */
  start(
    userId: UserId,
    place: SignInPlace,
    replaces: Actor | null,
    confirmedAt?: number,
  ): Promise<string>
  /**
   * The account's epoch, which ends with all its sessions. Whoever proves the owner reads it no later than what it looks at: a
   * proof that a new password overtakes begins nothing.
   */
  epochOf(userId: UserId, within?: Kysely<Database>): Promise<number>
  /** The account behind a cookie's value; null where it is unknown, ended or expired. */
  findActor(token: string): Promise<Actor | null>
  /** True while a session is neither ended nor expired. */
  isLive(id: number): Promise<boolean>
  /** Makes a session a recent one; `at`, epoch ms and now unless told, is when the person proved who they are. */
  confirm(actor: Actor, at?: number): Promise<void>
  /** Own live sessions, the current one first; `here` is the address that asks. */
  list(actor: Actor, here: string): Promise<UserSession[]>
  /** Ends one of the own sessions; throws `not_found`. */
  end(actor: Actor, id: number): Promise<void>
  /** Ends every session of the user but the one given, and sign-ins that wait for a next step; answers how many sessions. */
  endAll(userId: UserId, but: number | null): Promise<number>
  /**
   * Does `work`, and then in its transaction what `endAll` does: a change that sessions must not outlive is never there without
   * their end. Pages and relays hear of it once both are committed; answers what `work` gave.
   */
  endAllAfter<T>(
    userId: UserId,
    but: number | null,
    work: (transaction: Kysely<Database>) => Promise<T>,
  ): Promise<T>
  /** Public ids of sessions that ended since an instant: what their gate passes opened is shut. */
  listEnded(since: number): Promise<string[]>
  /** Removes rows nobody asks for any more. */
  removeOld(): Promise<void>
}

/** Makes the service on the database of a context. */
export function createSessions({
  db,
  clock,
  bus,
}: Pick<ServerContext, 'db' | 'clock' | 'bus'>): Sessions {
  const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
  const listLive = (userId: UserId, within = db) =>
    listLiveSessions(within, userId, { now: clock.now(), seenAfter: clock.now() - sessionIdleMs })

  async function endIn(
    within: Kysely<Database>,
    userId: UserId,
    choice: SessionChoice,
  ): Promise<SessionEnd[]> {
    const ended = await endSessions(within, userId, choice, clock.now())
    return ended.map(({ id, public_id: publicId }) => ({ userId, sessionId: id, publicId }))
  }

  function tell(ended: readonly SessionEnd[]): number {
    for (const each of ended) bus.emitSessionEnd(each)
    return ended.length
  }

  const end = async (userId: UserId, choice: SessionChoice): Promise<number> =>
    tell(await endIn(db, userId, choice))

  async function endAll<T>(
    userId: UserId,
    but: number | null,
    work: (transaction: Kysely<Database>) => Promise<T>,
  ): Promise<{ result: T; count: number }> {
    const { result, ended } = await db.transaction().execute(async transaction => ({
      result: await work(transaction),
      ended: await endAllIn(transaction, userId, but),
    }))
    return { result, count: tell(ended) }
  }

  /** Account, sessions, what waits: in this order everywhere, so that of two who end them one waits and never both. */
  async function endAllIn(transaction: Kysely<Database>, userId: UserId, but: number | null) {
    await endEpoch(transaction, userId)
    const ended = await endIn(transaction, userId, { allBut: but })
    await dropSingleUses(transaction, waitingSignIn, userId)
    await dropSingleUses(transaction, leavingSignIn, userId)
    return ended
  }

  return {
    async start(userId, place, replaces, confirmedAt) {
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      // Whoever ends all sessions takes the account too: either this one is there for them to end, or its epoch is over here.
      const { live, ended } = await db.transaction().execute(async transaction => {
        if (!(await holdEpoch(transaction, userId, place.epoch))) {
          throw new AppError('sign_in_expired')
        }
        const ended =
          replaces === null
            ? []
            : await endIn(transaction, replaces.userId, { only: [replaces.sessionId] })
        const live = await listLive(userId, transaction)
        const surplus = live.slice(sessionLimit - 1).map(session => session.id)
        if (surplus.length > 0) ended.push(...(await endIn(transaction, userId, { only: surplus })))
        await insertSession(transaction, {
          user_id: userId,
          token_hash: hashOf(token),
          public_id: createRandomId(),
          user_agent: place.userAgent,
          address: place.address,
          created_at: now,
          last_seen_at: now,
          confirmed_at: Math.min(confirmedAt ?? now, now),
          expires_at: now + sessionLifetimeMs,
          ended_at: null,
          way: place.way ?? 'unknown',
          second_factor: place.hasSecondFactor === true ? 1 : 0,
        })
        if (place.language !== undefined) await noteLanguage(transaction, userId, place.language)
        return { live, ended }
      })
      tell(ended)
      // Known by the sessions there are: the first one is no news, and neither is another browser in the same network.
      const isElsewhere = live.every(
        session => limitKeyOf(session.address) !== limitKeyOf(place.address),
      )
      if (live.length > 0 && isElsewhere) {
        bus.emitSecurityChange({ userId, kind: 'signed_in_elsewhere', place })
      }
      return token
    },

    epochOf: (userId, within = db) => readEpoch(within, userId),

    async findActor(token) {
      if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null
      const row = await findSessionByToken(db, hashOf(token))
      const now = clock.now()
      // A sign-in that overtook the owner's wish to leave opens nothing.
      if (row === undefined || !isLive(row, now) || row.delete_at !== null) return null
      if (now - row.last_seen_at >= touchPeriodMs) {
        await touchSession(db, row.id, now, now - touchPeriodMs)
      }
      return {
        userId: parseUserId(row.user_id),
        sessionId: row.id,
        sessionPublicId: row.public_id,
        sessionExpiresAt: row.expires_at,
        recentUntil: row.confirmed_at + recentMs,
        isStaff: row.is_staff === 1 || row.is_superuser === 1,
        isSuperuser: row.is_superuser === 1,
        isPromoter: row.is_promoter === 1,
      }
    },

    async isLive(id) {
      const row = await findSession(db, id)
      return row !== undefined && isLive(row, clock.now())
    },

    confirm: (actor, at = clock.now()) =>
      confirmSession(db, actor.sessionId, Math.min(at, clock.now())),

    async list(actor, here) {
      const sessions = await listLive(actor.userId)
      const isCurrent = (session: StoredSession) => session.id === actor.sessionId
      return [
        ...sessions.filter(isCurrent),
        ...sessions.filter(session => !isCurrent(session)),
      ].map(session => presentSession(session, isCurrent(session), here))
    },

    async end(actor, id) {
      if ((await end(actor.userId, { only: [id] })) === 0) throw new AppError('not_found')
    },

    endAll: async (userId, but) => (await endAll(userId, but, async () => {})).count,

    endAllAfter: async (userId, but, work) => (await endAll(userId, but, work)).result,

    listEnded: since => listEndedSessions(db, since),

    removeOld: () =>
      deleteOldSessions(db, {
        ended: clock.now() - dayMs,
        seen: clock.now() - sessionIdleMs - dayMs,
      }),
  }
}

const isLive = (session: StoredSession, now: number) =>
  session.ended_at === null &&
  session.expires_at > now &&
  session.last_seen_at + sessionIdleMs > now

const presentSession = (session: StoredSession, current: boolean, here: string): UserSession => ({
  id: session.id,
  current,
  user_agent: session.user_agent,
  ...describePlace(session.address, here),
  way: session.way,
  second_factor: session.second_factor === 1,
  created_at: new Date(session.created_at).toISOString(),
  last_seen_at: new Date(session.last_seen_at).toISOString(),
  expires_at: new Date(
    Math.min(session.expires_at, session.last_seen_at + sessionIdleMs),
  ).toISOString(),
})
