import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { SessionTable } from '../db/schema-accounts.ts'
import type { UserId } from './user-id.ts'

type Db = Kysely<Database>

/** A session as stored. */
export type StoredSession = Selectable<SessionTable>

/** Adds a session and gives its id. */
export async function insertSession(db: Db, row: Insertable<SessionTable>): Promise<number> {
  const { id } = await db
    .insertInto('sessions')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** The account's epoch; where there is no account (any more) one that never is. */
export async function readEpoch(db: Db, owner: UserId): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('session_epoch')
    .where('id', '=', owner)
    .executeTakeFirst()
  return row?.session_epoch ?? -1
}

/** Takes the account for the rest of the transaction, in its epoch; false where that is over. */
export async function holdEpoch(
  transaction: Db,
  owner: UserId,
  epoch: number | undefined,
): Promise<boolean> {
  const held = transaction
    .updateTable('users')
    .set(expression => ({ session_epoch: expression.ref('session_epoch') }))
    .where('id', '=', owner)
  const { numUpdatedRows } = await (epoch === undefined
    ? held
    : held.where('session_epoch', '=', epoch)
  ).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Begins the next epoch, and takes the account for the rest of the transaction. */
export async function endEpoch(transaction: Db, owner: UserId): Promise<void> {
  await transaction
    .updateTable('users')
    .set(expression => ({ session_epoch: expression('session_epoch', '+', 1) }))
    .where('id', '=', owner)
    .execute()
}

/** The session behind a cookie, ended or not, with the flags of its user. */
export const findSessionByToken = (db: Db, tokenHash: string) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .where('sessions.token_hash', '=', tokenHash)
    .selectAll('sessions')
    .select(['users.is_staff', 'users.is_superuser', 'users.is_promoter', 'users.delete_at'])
    .executeTakeFirst()

/** A session, ended or not. */
export const findSession = (db: Db, id: number): Promise<StoredSession | undefined> =>
  db.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst()

/** Writes that a session was used; several requests at once write once. */
export async function touchSession(db: Db, id: number, now: number, before: number): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ last_seen_at: now })
    .where('id', '=', id)
    .where('last_seen_at', '<=', before)
    .execute()
}

/** Writes that the password was shown. */
export async function confirmSession(db: Db, id: number, at: number): Promise<void> {
  await db.updateTable('sessions').set({ confirmed_at: at }).where('id', '=', id).execute()
}

/** Live sessions of a user, the latest seen first. */
export const listLiveSessions = (
  db: Db,
  owner: UserId,
  bounds: { now: number; seenAfter: number },
): Promise<StoredSession[]> =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', owner)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', bounds.now)
    .where('last_seen_at', '>', bounds.seenAfter)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .execute()

/** Which sessions of a user to end. */
export type SessionChoice = { only: readonly number[] } | { allBut: number | null }

/** Ends sessions of a user that were live; gives those it ended, each to one caller alone. */
export function endSessions(
  db: Db,
  owner: UserId,
  choice: SessionChoice,
  now: number,
): Promise<Pick<StoredSession, 'id' | 'public_id'>[]> {
  const query = db
    .updateTable('sessions')
    .set({ ended_at: now })
    .where('user_id', '=', owner)
    .where('ended_at', 'is', null)
  const narrowed =
    'only' in choice
      ? query.where('id', 'in', [...choice.only])
      : choice.allBut === null
        ? query
        : query.where('id', '<>', choice.allBut)
  return narrowed.returning(['id', 'public_id']).execute()
}

/** Public ids of sessions that ended at or after an instant. */
export async function listEndedSessions(db: Db, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom('sessions')
    .select('public_id')
    .where('ended_at', '>=', since)
    .execute()
  return rows.map(row => row.public_id)
}

/** Removes sessions that ended, expired or were last used before an instant. */
export async function deleteOldSessions(
  db: Db,
  before: { ended: number; seen: number },
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where(expression =>
      expression.or([
        expression('ended_at', '<', before.ended),
        expression('expires_at', '<', before.ended),
        expression('last_seen_at', '<', before.seen),
      ]),
    )
    .execute()
}
