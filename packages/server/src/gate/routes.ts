import { createGateTicket } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { mountCall } from '../http/mount.ts'
import type { RecordService } from '../records/service.ts'
import { createGateService } from './service.ts'

/** Mounts the calls of the gate. */
export function registerGateRoutes(
  app: FastifyInstance,
  context: ServerContext,
  records: RecordService,
): void {
  const gate = createGateService(context, records)
  mountCall(app, createGateTicket, async ({ actor, body }) => ({
    location: await gate.createTicket(actor, body),
  }))
}
