import type { CaptchaScene } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { CaptchaTable } from '../db/schema-captchas.ts'

type Db = Kysely<Database>

/** Writes down a challenge that nobody has answered yet. */
export async function insertCaptcha(
  db: Db,
  row: Pick<
    CaptchaTable,
    'key_hash' | 'scene' | 'limit_key' | 'kind' | 'answer' | 'created_at' | 'expires_at'
  >,
): Promise<void> {
  await db.insertInto('captchas').values(row).execute()
}

/** Uses up the one try of a live challenge; the answer for exactly one of many callers. */
export function takeCaptcha(
  db: Db,
  { keyHash, limitKey, now }: { keyHash: string; limitKey: string; now: number },
): Promise<{ kind: CaptchaTable['kind']; answer: string } | undefined> {
  return db
    .updateTable('captchas')
    .set({ answered_at: now })
    .where('key_hash', '=', keyHash)
    .where('limit_key', '=', limitKey)
    .where('answered_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['kind', 'answer'])
    .executeTakeFirst()
}

/** Gives a challenge that was answered rightly its ticket. */
export async function giveTicket(
  db: Db,
  { keyHash, ticketHash, expiresAt }: { keyHash: string; ticketHash: string; expiresAt: number },
): Promise<void> {
  await db
    .updateTable('captchas')
    .set({ ticket_hash: ticketHash, expires_at: expiresAt })
    .where('key_hash', '=', keyHash)
    .execute()
}

/** Uses up a live ticket of a scene and address; true for exactly one of many callers. */
export async function takeTicket(
  db: Db,
  {
    ticketHash,
    scene,
    limitKey,
    now,
  }: { ticketHash: string; scene: CaptchaScene; limitKey: string; now: number },
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('captchas')
    .where('ticket_hash', '=', ticketHash)
    .where('scene', '=', scene)
    .where('limit_key', '=', limitKey)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Removes what is over; answers how many rows. */
export async function deleteOldCaptchas(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('captchas')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** True where somebody signed in from the address within the sessions that are kept. */
export async function hasSessionFrom(db: Db, address: string): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('address', '=', address)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
