import type { Kysely, Selectable } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { PairingTable } from '../db/schema-devices.ts'

type Db = Kysely<Database>

/** A pairing as stored. */
export type StoredPairing = Selectable<PairingTable>

/** Writes down that a signed token was used; false where it was used before. Of two that race one wins. */
export async function useSignedToken(
  db: Db,
  owner: UserId,
  token: { id: string; expires_at: number },
): Promise<boolean> {
  const row = await db
    .insertInto('signed_tokens')
    .values({ ...token, user_id: owner })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  await db.deleteFrom('issued_tokens').where('id', '=', token.id).execute()
  return row !== undefined
}

/** Writes down that a signed token was handed out: the owner is told how many wait before a reset makes them void. */
export async function noteIssuedToken(
  db: Db,
  owner: UserId,
  token: { id: string; expires_at: number },
): Promise<void> {
  await db
    .insertInto('issued_tokens')
    .values({ ...token, user_id: owner })
    .execute()
}

// A token that was read just before it expired may still be on its way to `useSignedToken`.
const usedTokenGraceMs = 10 * 60 * 1000

/** Forgets what has expired: used tokens, once nobody could use them again, and pairings. */
export async function deleteExpired(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('signed_tokens')
    .where('expires_at', '<=', now - usedTokenGraceMs)
    .execute()
  await db.deleteFrom('issued_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('pairings').where('expires_at', '<=', now).execute()
}

/** How many devices wait to be bound: in total, or for one limit key. */
export async function countWaiting(db: Db, limitKey?: string): Promise<number> {
  let waiting = db.selectFrom('pairings').where('device_id', 'is', null)
  if (limitKey !== undefined) waiting = waiting.where('limit_key', '=', limitKey)
  const { count } = await waiting
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Inserts a waiting pairing. */
export async function insertPairing(db: Db, pairing: StoredPairing): Promise<void> {
  await db.insertInto('pairings').values(pairing).execute()
}

/** A live pairing with the uid of the device it became. Whoever knows its id may ask: that is its secret. */
export function findPairing(db: Db, idHash: string, now: number) {
  return db
    .selectFrom('pairings')
    .leftJoin('devices', 'devices.id', 'pairings.device_id')
    .selectAll('pairings')
    .select('devices.uid')
    .where('pairings.id_hash', '=', idHash)
    .where('pairings.expires_at', '>', now)
    .executeTakeFirst()
}

/** Takes a live pairing for the rest of the transaction: of two users who bind it one comes first. */
export function lockPairing(
  db: Db,
  idHash: string,
  now: number,
): Promise<StoredPairing | undefined> {
  return db
    .updateTable('pairings')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id_hash', '=', idHash)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst()
}

/** Writes down which device of the owner a pairing became. */
export async function completePairing(
  db: Db,
  owner: UserId,
  idHash: string,
  device: number,
): Promise<void> {
  await db
    .updateTable('pairings')
    .set({ device_id: device })
    .where('id_hash', '=', idHash)
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('devices')
          .select('id')
          .where('devices.id', '=', device)
          .where('devices.user_id', '=', owner),
      ),
    )
    .execute()
}
