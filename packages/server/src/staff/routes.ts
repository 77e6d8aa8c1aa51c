import { createInvite, deleteInvite, listInvites } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { mountCall } from '../http/mount.ts'
import type { Invites } from './invites.ts'

/** Mounts the calls of staff. */
export function registerStaffRoutes(app: FastifyInstance, { invites }: { invites: Invites }): void {
  mountCall(app, listInvites, () => invites.list())
  mountCall(app, createInvite, ({ actor, body, request }) =>
    invites.create({ createdBy: actor.userId, origin: request.ownOrigin, ...body }),
  )
  mountCall(app, deleteInvite, ({ params }) => invites.remove(params.id))
}
