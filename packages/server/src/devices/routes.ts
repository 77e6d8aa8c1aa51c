import {
  bindPairing,
  deleteRouter,
  getPairing,
  getPairingInfo,
  getRouterInfo,
  listRouters,
  pairDevice,
  patchRouter,
  signToken,
  startPairing,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '../accounts/service.ts'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
import type { RecordService } from '../records/service.ts'
import type { RelayHub } from '../relays/hub.ts'
import { createPairingService } from './pairing-service.ts'
import { createDeviceService } from './service.ts'

/** Pairing attempts of one address: 20 at once, then one every 10 s. Tokens have 122 bits; this bounds the work. */
const pairingRate = { burst: 20, perSecond: 0.1, keyLimit: 50_000 }

/** Parts of other rooms that devices work with. */
export interface DeviceRooms {
  accounts: Accounts
  records: RecordService
  hub: RelayHub
}

/** Mounts the calls of devices and of pairing. */
export function registerDeviceRoutes(
  app: FastifyInstance,
  context: ServerContext,
  { accounts, records, hub }: DeviceRooms,
): void {
  const devices = createDeviceService(context, records, hub)
  const pairings = createPairingService(context, accounts)
  const limiter = createRateLimiter({ ...pairingRate, clock: context.clock })

  function limitPairing({ address }: RequestFacts): string {
    const limitKey = limitKeyOf(address)
    const answer = limiter.take(limitKey)
    if (answer.isAllowed) return limitKey
    throw new AppError('rate_limited', {
      retryAfterSeconds: Math.ceil(answer.retryAfterMs / 1000),
    })
  }

  mountCall(app, listRouters, ({ actor, query }) => devices.list(actor.userId, query))
  mountCall(app, patchRouter, ({ actor, params, body }) =>
    devices.patch(actor.userId, params.id, body),
  )
  mountCall(app, deleteRouter, ({ actor, params }) => devices.remove(actor.userId, params.id))
  mountCall(app, getRouterInfo, ({ actor, query }) =>
    devices.describeName(actor.userId, query.domain),
  )

  mountCall(app, signToken, ({ actor }) => pairings.signToken(actor.userId))
  mountOpenCall(app, pairDevice, ({ body: { token, ...facts }, request }) => {
    limitPairing(request)
    return pairings.pair(token, facts, request.address)
  })
  mountOpenCall(app, startPairing, ({ body, request }) =>
    pairings.start(body, {
      limitKey: limitPairing(request),
      address: request.address,
      origin: request.ownOrigin,
    }),
  )
  mountOpenCall(app, getPairing, ({ params }) => pairings.status(params.pairing))
  mountCall(app, getPairingInfo, ({ query }) => pairings.info(query.pairing))
  mountCall(app, bindPairing, async ({ actor, params }) =>
    devices.present(actor.userId, await pairings.bind(actor.userId, params.pairing)),
  )
}
