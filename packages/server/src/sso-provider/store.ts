import type { Kysely, Selectable } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { SsoRequestTable } from '../db/schema-sso-provider.ts'

type Db = Kysely<Database>

/** A request to sign in as stored. */
export type StoredRequest = Selectable<SsoRequestTable>

/** A request that nobody has opened yet. */
export type NewRequest = Omit<
  StoredRequest,
  | 'user_id'
  | 'answer'
  | 'session_id'
  | 'authenticated_at'
  | 'code_hash'
  | 'code_expires_at'
  | 'code_used_at'
>

/** Adds a request. */
export async function insertRequest(db: Db, row: NewRequest): Promise<void> {
  const unanswered = { user_id: null, answer: null, session_id: null, authenticated_at: null }
  const withoutCode = { code_hash: null, code_expires_at: null, code_used_at: null }
  await db
    .insertInto('sso_requests')
    .values({ ...row, ...unanswered, ...withoutCode })
    .execute()
}

/** The request of a state, whatever became of it. */
export const findByState = (db: Db, stateHash: string): Promise<StoredRequest | undefined> =>
  db.selectFrom('sso_requests').selectAll().where('state_hash', '=', stateHash).executeTakeFirst()

/**
 * Gives a request that nobody has opened, or this user, to the user; `isFirst` for exactly one of many openings. Undefined
 * where it is unknown, answered, expired, or another's.
 */
export async function claimRequest(
  db: Db,
  owner: UserId,
  { idHash, now }: { idHash: string; now: number },
): Promise<{ request: StoredRequest; isFirst: boolean } | undefined> {
  const claimed = await db
    .updateTable('sso_requests')
    .set({ user_id: owner })
    .where('id_hash', '=', idHash)
    .where('user_id', 'is', null)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
  if (claimed !== undefined) return { request: claimed, isFirst: true }
  const own = await db
    .selectFrom('sso_requests')
    .selectAll()
    .where('id_hash', '=', idHash)
    .where('user_id', '=', owner)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return own === undefined ? undefined : { request: own, isFirst: false }
}

/** What an answer writes. */
export type RequestAnswer =
  | { answer: 'refused' }
  | ({ answer: 'confirmed' } & Pick<
      StoredRequest,
      'session_id' | 'authenticated_at' | 'code_hash' | 'code_expires_at'
    >)

/** Answers a request that the user opened; the row for exactly one of many answers. */
export const answerRequest = (
  db: Db,
  owner: UserId,
  { idHash, now }: { idHash: string; now: number },
  answer: RequestAnswer,
): Promise<StoredRequest | undefined> =>
  db
    .updateTable('sso_requests')
    .set(answer)
    .where('id_hash', '=', idHash)
    .where('user_id', '=', owner)
    .where('answer', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Uses a live code of a state up; the row for exactly one of many callers. */
export const takeCode = (
  db: Db,
  { codeHash, stateHash, now }: { codeHash: string; stateHash: string; now: number },
): Promise<StoredRequest | undefined> =>
  db
    .updateTable('sso_requests')
    .set({ code_used_at: now })
    .where('code_hash', '=', codeHash)
    .where('state_hash', '=', stateHash)
    .where('code_used_at', 'is', null)
    .where('code_expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()

/** Removes every request that a browser began. */
export async function deleteRequestsOf(db: Db, binding: string): Promise<void> {
  await db.deleteFrom('sso_requests').where('binding', '=', binding).execute()
}

/** Removes requests that expired before an instant. */
export async function deleteOldRequests(db: Db, before: number): Promise<void> {
  await db.deleteFrom('sso_requests').where('expires_at', '<=', before).execute()
}
