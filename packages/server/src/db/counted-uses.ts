import type { Kysely } from 'kysely'
import type { Database } from './schema.ts'

type Db = Kysely<Database>

/** How often something may be done. */
export interface UseBounds {
  /** Between two lies at least this many ms. */
  pauseMs: number
  /** Length in ms of the period that is counted; it begins with its first use. */
  periodMs: number
  /** Uses of one period. */
  most: number
}

/** Counts a use where the bounds allow one; true for exactly one of many callers who want the last. */
export async function countUse(
  db: Db,
  key: string,
  { pauseMs, periodMs, most }: UseBounds,
  now: number,
): Promise<boolean> {
  const first = { rests_until: now + pauseMs, ends_at: now + periodMs, count: 1 }
  const { numInsertedOrUpdatedRows: changed } = await db
    .insertInto('counted_uses')
    .values({ key, ...first })
    .onConflict(conflict =>
      conflict
        .column('key')
        .doUpdateSet(({ eb, ref }) => {
          const isOver = eb('counted_uses.ends_at', '<=', now)
          return {
            rests_until: first.rests_until,
            ends_at: eb
              .case()
              .when(isOver)
              .then(first.ends_at)
              .else(ref('counted_uses.ends_at'))
              .end(),
            count: eb
              .case()
              .when(isOver)
              .then(1)
              .else(eb('counted_uses.count', '+', 1))
              .end(),
          }
        })
        .where('counted_uses.rests_until', '<=', now)
        .where(({ eb, or }) =>
          or([eb('counted_uses.ends_at', '<=', now), eb('counted_uses.count', '<', most)]),
        ),
    )
    .executeTakeFirstOrThrow()
  return (changed ?? 0n) > 0n
}

/** Milliseconds until the bounds allow the next; 0 where they do now. */
export async function waitForUse(
  db: Db,
  key: string,
  { most }: Pick<UseBounds, 'most'>,
  now: number,
): Promise<number> {
  const row = await db
    .selectFrom('counted_uses')
    .selectAll()
    .where('key', '=', key)
    .executeTakeFirst()
  if (row === undefined) return 0
  const untilNextPeriod = row.count < most ? 0 : row.ends_at - now
  return Math.max(0, row.rests_until - now, untilNextPeriod)
}

/** Removes counts of periods that are over. */
export async function removeOldCounts(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('counted_uses')
    .where('ends_at', '<=', now)
    .where('rests_until', '<=', now)
    .execute()
}
