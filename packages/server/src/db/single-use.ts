import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from './schema.ts'

type Db = Kysely<Database>

/** What names a row. From another binding (an address, a browser) it is not found, and not used up either. */
export interface SingleUse {
  purpose: string
  /** What the holder shows: a ticket, a challenge, a cookie's value. Only its hash is stored. */
  key: string
  binding: string
}

/** What was kept. */
export interface KeptUse {
  userId: number | null
  value: string
}

/** Keeps something that is good once; what the key held before is void. */
export async function keepSingleUse(
  db: Db,
  use: SingleUse & {
    expiresAt: number
    value?: string
    userId?: UserId
    /** How often `attemptSingleUse` finds it; never unless told. */
    tries?: number
  },
): Promise<void> {
  const row = {
    purpose: use.purpose,
    binding: use.binding,
    user_id: use.userId ?? null,
    value: use.value ?? '',
    tries_left: use.tries ?? 0,
    expires_at: use.expiresAt,
  }
  await db
    .insertInto('single_uses')
    .values({ key_hash: singleUseHash(use.purpose, use.key), ...row })
    .onConflict(conflict => conflict.column('key_hash').doUpdateSet(row))
    .executeTakeFirst()
}

/** Uses it up: found by exactly one of many callers, in time. */
export async function takeSingleUse(
  db: Db,
  { purpose, key, binding, now }: SingleUse & { now: number },
): Promise<KeptUse | undefined> {
  const row = await db
    .deleteFrom('single_uses')
    .where('key_hash', '=', singleUseHash(purpose, key))
    .where('binding', '=', binding)
    .where('expires_at', '>', now)
    .returning(['user_id', 'value'])
    .executeTakeFirst()
  return row === undefined ? undefined : { userId: row.user_id, value: row.value }
}

/** Uses it up with all else that the user has of its purpose: of many callers with one each, exactly one finds its own. */
export async function takeSingleUseOf(
  db: Db,
  owner: UserId,
  { purpose, key, binding, now }: SingleUse & { now: number },
): Promise<KeptUse | undefined> {
  const hash = singleUseHash(purpose, key)
  // One statement, so that two callers meet at the first row of both and never hold what the other waits for.
  const rows = await db
    .deleteFrom('single_uses')
    .where('purpose', '=', purpose)
    .where('user_id', '=', owner)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('single_uses as shown')
          .select('shown.key_hash')
          .where('shown.key_hash', '=', hash)
          .where('shown.user_id', '=', owner)
          .where('shown.binding', '=', binding)
          .where('shown.expires_at', '>', now),
      ),
    )
    .returning(['key_hash', 'user_id', 'value'])
    .execute()
  const row = rows.find(each => each.key_hash === hash)
  return row === undefined ? undefined : { userId: row.user_id, value: row.value }
}

/** What `attemptSingleUse` would find, paying for nothing. */
export async function findSingleUse(
  db: Db,
  { purpose, key, binding, now }: SingleUse & { now: number },
): Promise<KeptUse | undefined> {
  const row = await db
    .selectFrom('single_uses')
    .select(['user_id', 'value'])
    .where('key_hash', '=', singleUseHash(purpose, key))
    .where('binding', '=', binding)
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .executeTakeFirst()
  return row === undefined ? undefined : { userId: row.user_id, value: row.value }
}

/** Pays one of its tries and leaves it: what guards a code that may be mistyped. */
export async function attemptSingleUse(
  db: Db,
  { purpose, key, binding, now }: SingleUse & { now: number },
): Promise<KeptUse | undefined> {
  const row = await db
    .updateTable('single_uses')
    .set(expression => ({ tries_left: expression('tries_left', '-', 1) }))
    .where('key_hash', '=', singleUseHash(purpose, key))
    .where('binding', '=', binding)
    .where('expires_at', '>', now)
    .where('tries_left', '>', 0)
    .returning(['user_id', 'value'])
    .executeTakeFirst()
  return row === undefined ? undefined : { userId: row.user_id, value: row.value }
}

/** Makes what a user has of a purpose void. */
export async function dropSingleUses(db: Db, purpose: string, owner: UserId): Promise<void> {
  await db
    .deleteFrom('single_uses')
    .where('purpose', '=', purpose)
    .where('user_id', '=', owner)
    .execute()
}

/** Removes what is over; answers how many rows. */
export async function removeOldSingleUses(db: Db, now: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('single_uses')
    .where('expires_at', '<=', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** The name of a row: SHA-256, so that a stolen table opens nothing. */
export const singleUseHash = (purpose: string, key: string): string =>
  createHash('sha256').update(`${purpose}\n${key}`).digest('base64url')
