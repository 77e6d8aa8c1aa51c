import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { SsoEventTable } from '../db/schema-sso-provider.ts'

type Db = Kysely<Database>

/** An event as stored. */
export type StoredEvent = Selectable<SsoEventTable>

/** Whose events: a category of one browser. Another browser that names the category finds nothing. */
export interface EventPlace {
  category: string
  binding: string
}

/** Adds an event later than all before it in its place, and removes those that are older than `keptSince` everywhere. */
export async function insertEvent(
  db: Db,
  { category, binding }: EventPlace,
  { dataSealed, now, keptSince }: { dataSealed: string; now: number; keptSince: number },
): Promise<void> {
  await deleteOldEvents(db, keptSince)
  const { last } = await db
    .selectFrom('sso_events')
    .select(expression => expression.fn.max('timestamp').as('last'))
    .where('category', '=', category)
    .where('binding', '=', binding)
    .executeTakeFirstOrThrow()
  // `max` of no rows is null, whatever its type says.
  const timestamp = Math.max(now, ((last as number | null) ?? 0) + 1)
  await db
    .insertInto('sso_events')
    .values({ category, binding, timestamp, data_sealed: dataSealed, delivered_at: null })
    .execute()
}

/** The events of a place since an instant, the oldest first. */
export const listEvents = (
  db: Db,
  { category, binding }: EventPlace,
  keptSince: number,
): Promise<StoredEvent[]> =>
  db
    .selectFrom('sso_events')
    .selectAll()
    .where('category', '=', category)
    .where('binding', '=', binding)
    .where('timestamp', '>', keptSince)
    .orderBy('timestamp')
    .execute()

/** Writes that events were put into an answer. */
export async function markDelivered(db: Db, ids: readonly number[], now: number): Promise<void> {
  await db.updateTable('sso_events').set({ delivered_at: now }).where('id', 'in', ids).execute()
}

/** Removes every event of a browser. */
export async function deleteEventsOf(db: Db, binding: string): Promise<void> {
  await db.deleteFrom('sso_events').where('binding', '=', binding).execute()
}

/** Removes events that are not kept any more. */
export async function deleteOldEvents(db: Db, keptSince: number): Promise<void> {
  await db.deleteFrom('sso_events').where('timestamp', '<=', keptSince).execute()
}
