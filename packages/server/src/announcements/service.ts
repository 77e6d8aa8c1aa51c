import type { Announcement, CallInput, createAnnouncement } from '@homeport/contract'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import {
  insertAnnouncement,
  listAllAnnouncements,
  removeAnnouncement,
  type StoredAnnouncement,
} from './store.ts'

/** Notices of staff to everybody. */
export interface Announcements {
  list(): Promise<Announcement[]>
  create(input: CallInput<typeof createAnnouncement>['body']): Promise<Announcement>
  /** Throws `not_found`. */
  remove(id: number): Promise<void>
}

/** Makes the service; every change is told to all open pages. */
export function createAnnouncements({
  db,
  clock,
  bus,
}: Pick<ServerContext, 'db' | 'clock' | 'bus'>): Announcements {
  const tell = () => bus.emit('everyone', { type: 'announcement' })
  return {
    list: async () => (await listAllAnnouncements(db)).map(present),

    async create({ title, detail, url, display }) {
      const row = { title, detail, url, display: display ? 1 : 0, created_at: clock.now() }
      const announcement = await insertAnnouncement(db, row)
      tell()
      return present(announcement)
    },

    async remove(id) {
      if (!(await removeAnnouncement(db, id))) throw new AppError('not_found')
      tell()
    },
  }
}

const present = ({ id, title, detail, url, display }: StoredAnnouncement): Announcement => ({
  id,
  title,
  detail,
  url,
  display: display === 1,
})
