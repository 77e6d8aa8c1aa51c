import { createRecord, deleteRecord, patchRecord } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { mountCall } from '../http/mount.ts'
import type { RecordService } from './service.ts'

/** Mounts the calls of records. */
export function registerRecordRoutes(app: FastifyInstance, records: RecordService): void {
  mountCall(app, createRecord, ({ actor, body }) => records.create(actor.userId, body))
  mountCall(app, patchRecord, ({ actor, params, body }) =>
    records.patch(actor.userId, params.id, body),
  )
  mountCall(app, deleteRecord, ({ actor, params }) => records.remove(actor.userId, params.id))
}
