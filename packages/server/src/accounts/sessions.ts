import { createHash, randomBytes } from 'node:crypto'
import type { UserSession } from '@homeport/contract'
import { createRandomId } from '@homeport/runtime'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import {
  confirmSession,
  deleteOldSessions,
  endSessions,
  findSessionByToken,
  insertSession,
  listEndedSessions,
  listLiveSessions,
  type SessionChoice,
  type StoredSession,
  touchSession,
} from './session-store.ts'
import { parseUserId, type UserId } from './user-id.ts'

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

/** Where a sign-in comes from. */
export interface SignInPlace {
  address: string
  userAgent: string
}

/** Sessions of all users. */
export interface Sessions {
  /** Begins a session and gives the cookie's value, which is stored nowhere. `replaces` ends: an id known before is void. */
  start(userId: UserId, place: SignInPlace, replaces: Actor | null): Promise<string>
  /** The account behind a cookie's value; null where it is unknown, ended or expired. */
  findActor(token: string): Promise<Actor | null>
  /** Makes a session a recent one. */
  confirm(actor: Actor): Promise<void>
  /** Own live sessions, the current one first. */
  list(actor: Actor): Promise<UserSession[]>
  /** Ends one of the own sessions; throws `not_found`. */
  end(actor: Actor, id: number): Promise<void>
  /** Ends every session of the user but the one given. */
  endAll(userId: UserId, but: number | null): Promise<void>
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
  const listLive = (userId: UserId) =>
    listLiveSessions(db, userId, { now: clock.now(), seenAfter: clock.now() - sessionIdleMs })

  async function end(userId: UserId, choice: SessionChoice): Promise<number> {
    const ended = await endSessions(db, userId, choice, clock.now())
    for (const { id, public_id } of ended) {
      bus.emitSessionEnd({ userId, sessionId: id, publicId: public_id })
    }
    return ended.length
  }

  return {
    async start(userId, place, replaces) {
      if (replaces !== null) await end(replaces.userId, { only: [replaces.sessionId] })
      const surplus = (await listLive(userId)).slice(sessionLimit - 1)
      if (surplus.length > 0) await end(userId, { only: surplus.map(session => session.id) })
      const token = randomBytes(32).toString('base64url')
      const now = clock.now()
      await insertSession(db, {
        user_id: userId,
        token_hash: hashOf(token),
        public_id: createRandomId(),
        user_agent: place.userAgent,
        address: place.address,
        created_at: now,
        last_seen_at: now,
        confirmed_at: now,
        expires_at: now + sessionLifetimeMs,
        ended_at: null,
      })
      return token
    },

    async findActor(token) {
      if (!/^[A-Za-z0-9_-]{43}$/.test(token)) return null
      const row = await findSessionByToken(db, hashOf(token))
      const now = clock.now()
      if (row === undefined || !isLive(row, now)) return null
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

    confirm: actor => confirmSession(db, actor.sessionId, clock.now()),

    async list(actor) {
      const sessions = await listLive(actor.userId)
      const isCurrent = (session: StoredSession) => session.id === actor.sessionId
      return [
        ...sessions.filter(isCurrent),
        ...sessions.filter(session => !isCurrent(session)),
      ].map(session => presentSession(session, isCurrent(session)))
    },

    async end(actor, id) {
      if ((await end(actor.userId, { only: [id] })) === 0) throw new AppError('not_found')
    },

    async endAll(userId, but) {
      await end(userId, { allBut: but })
    },

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

const presentSession = (session: StoredSession, current: boolean): UserSession => ({
  id: session.id,
  current,
  user_agent: session.user_agent,
  address: session.address,
  created_at: new Date(session.created_at).toISOString(),
  last_seen_at: new Date(session.last_seen_at).toISOString(),
  expires_at: new Date(
    Math.min(session.expires_at, session.last_seen_at + sessionIdleMs),
  ).toISOString(),
})
