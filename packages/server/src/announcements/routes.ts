import { createAnnouncement, deleteAnnouncement, listAnnouncements } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import type { Announcements } from './service.ts'

/** Mounts the calls of announcements. */
export function registerAnnouncementRoutes(
  app: FastifyInstance,
  { announcements }: { announcements: Announcements },
): void {
  mountOpenCall(app, listAnnouncements, () => announcements.list())
  mountCall(app, createAnnouncement, ({ body }) => announcements.create(body))
  mountCall(app, deleteAnnouncement, ({ params }) => announcements.remove(params.id))
}
