import { checkDomainConnection, listServers } from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import { mountCall } from '../http/mount.ts'
import { checkConnection } from './check.ts'
import type { RelayHub } from './hub.ts'
import { lookUpName } from './name-lookup.ts'
import { presentBuiltInRelay } from './present.ts'

/** Mounts the calls that relays answer or are shown by. */
export function registerRelayRoutes(
  app: FastifyInstance,
  context: ServerContext,
  hub: RelayHub,
): void {
  const parts = {
    context,
    hub,
    lookUpName: (host: string) => lookUpName(host, context.clock),
  }
  mountCall(app, checkDomainConnection, ({ actor, params, body, request }) =>
    checkConnection(parts, {
      owner: actor.userId,
      device: params.id,
      record: body.record,
      language: request.language,
    }),
  )
  mountCall(app, listServers, ({ request }) => [
    presentBuiltInRelay(hub, { origin: request.ownOrigin, language: request.language }),
  ])
}
