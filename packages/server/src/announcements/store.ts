import type { Insertable, Kysely, Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { AnnouncementTable } from '../db/schema-accounts.ts'

type Db = Kysely<Database>

/** An announcement as stored. */
export type StoredAnnouncement = Selectable<AnnouncementTable>

/** All announcements, oldest first. */
export const listAllAnnouncements = (db: Db): Promise<StoredAnnouncement[]> =>
  db.selectFrom('announcements').selectAll().orderBy('id').execute()

/** Adds an announcement and gives it. */
export const insertAnnouncement = (
  db: Db,
  row: Insertable<AnnouncementTable>,
): Promise<StoredAnnouncement> =>
  db.insertInto('announcements').values(row).returningAll().executeTakeFirstOrThrow()

/** Removes an announcement; false where there is none. */
export async function removeAnnouncement(db: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('announcements')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
