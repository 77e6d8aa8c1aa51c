import { eventsPath } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../http/app-error.ts'
import type { EventStreams } from './stream.ts'

/** Mounts the live events of the signed-in user. */
export function registerEventRoutes(
  app: FastifyInstance,
  { streams }: { streams: EventStreams },
): void {
  // No HEAD: its answer would hold a stream that nobody reads.
  const options = { config: { access: 'signed_in' as const }, exposeHeadRoute: false }
  app.get(eventsPath, options, async (request, reply) => {
    const { actor } = request.browser
    if (actor === null) throw new AppError('not_signed_in')
    reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no')
    return reply.type('text/event-stream; charset=utf-8').send(streams.open(actor))
  })
}
