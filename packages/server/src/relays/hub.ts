import type { checkStepSchema } from '@homeport/contract'
import {
  type ControlChannel,
  ControlError,
  createServerPeer,
  type DeviceSession,
  type Route,
  type RouteKey,
  type ServerPeer,
  type Usage,
} from '@homeport/contract/control'
import { gateLifetimeMs } from '@homeport/contract/gate'
import type { z } from 'zod'
import { parseUserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { createBatcher } from './batcher.ts'
import { createPresenceBook, type Presence } from './presence.ts'
import { decideRoute, placeOf } from './route.ts'
import {
  addUsage,
  findDeviceKey,
  findRouteByName,
  findRouteByPort,
  listOpenPorts,
  saveSeen,
} from './store.ts'

/** Id of the relay that runs with the server; there is one until relays are rows of their own. */
export const builtInRelayId = 1

/** A probe dials the target and waits for its answer: the relay's own time-outs (9 s in all) end it before this, in ms. */
const probeTimeoutMs = 12_000

const hourMs = 60 * 60 * 1000

/** The result of a probe: the relay's steps, or that no relay could be asked. */
export type ProbeAnswer = z.output<typeof checkStepSchema>[] | null

/** The server's end of every control link: answers relays, knows who is online, tells relays what changed. */
export interface RelayHub {
  /** Serves a relay until its channel closes. */
  attach(channel: ControlChannel): void
  /** A real request through the relay that carries the device; null where no relay answers. */
  probe(route: Route): Promise<ProbeAnswer>
  routesChanged(keys: readonly RouteKey[]): void
  revokeDevice(uid: string, code: 'deleted' | 'paused'): void
  endConsoleSession(publicId: string): void
  isOnline(uid: string): boolean
  sessionOf(uid: string): DeviceSession | undefined
  /** Id of the relay the device is at; null while it is offline. */
  serverOf(uid: string): number | null
  anyRelayOnline(): boolean
  /** Devices that are online now. */
  countSessions(): number
  /** Resolves when all that relays reported so far is written down. */
  settled(): Promise<void>
  /** Closes every link, and resolves when the devices on them are written down as seen now. */
  stop(): Promise<void>
}

/** What the hub asks of the console's sessions. */
export interface EndedSessions {
  /** Public ids of sessions that ended at or after this instant (epoch ms). */
  listEnded(since: number): Promise<string[]>
}

interface Link {
  readonly peer: ServerPeer
  /** Set by its hello: until then it carries nobody and is not asked. */
  isReady: boolean
}

type HubContext = Pick<ServerContext, 'db' | 'clock' | 'keys' | 'config' | 'logger' | 'bus'>

/** Makes a hub without relays. */
export function createRelayHub(
  { db, clock, keys, config, logger, bus }: HubContext,
  sessions: EndedSessions,
): RelayHub {
  const links = new Set<Link>()
  let isStopped = false
  const report = (what: string) => (cause: unknown) => logger.error({ err: cause }, what)

  const seen = createBatcher<string, Presence<Link> | null>({
    merge: (_, newer) => newer,
    save: saveChanges,
    onFault: report('presence of devices was not saved'),
  })
  const usage = createBatcher<number, Usage>({
    merge: (a, b) => ({
      record: a.record,
      requests: a.requests + b.requests,
      bytes_in: a.bytes_in + b.bytes_in,
      bytes_out: a.bytes_out + b.bytes_out,
    }),
    save: async batch => {
      const hour = Math.floor(clock.now() / hourMs) * hourMs
      await db.transaction().execute(tx => addUsage(tx, hour, [...batch.values()]))
    },
    onFault: report('usage was not saved'),
  })
  const book = createPresenceBook<Link>((uid, presence) => seen.add(uid, presence))

  /** Writes presence down, then tells the owners' pages: what they ask for then is already true. */
  async function saveChanges(batch: ReadonlyMap<string, Presence<Link> | null>): Promise<void> {
    const saved = await db.transaction().execute(async tx => {
      const rows = []
      // In one order, so that two servers that save at once never wait for each other in a ring.
      for (const [uid, presence] of [...batch].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
        const device = await saveSeen(tx, uid, presence?.session ?? null, clock.now())
        rows.push({ uid, presence, device })
      }
      return rows
    })
    for (const { uid, presence, device } of saved) {
      if (device !== undefined) {
        const status = book.find(uid) === undefined ? 'offline' : 'online'
        bus.emit(parseUserId(device.user_id), { type: 'router', id: device.id, status })
      } else if (presence !== null) {
        // Deleted between the relay's look at its key and this moment.
        presence.link.peer.notify('device_revoked', { device: uid, code: 'deleted' })
      }
    }
  }

  async function resolve(key: RouteKey) {
    const place = placeOf(key, config)
    if (place === null) return decideRoute(undefined, config)
    const row =
      'name' in place
        ? await findRouteByName(db, place.name)
        : await findRouteByPort(db, place.port)
    return decideRoute(row, config)
  }

  function attach(channel: ControlChannel): void {
    if (isStopped) {
      channel.close()
      return
    }
    const peer: ServerPeer = createServerPeer(
      channel,
      {
        async hello(params) {
          link.isReady = true
          book.replace(link, params.sessions)
          logger.info({ relay: params.relay, sessions: params.sessions.length }, 'relay is here')
          return {
            gate_key: keys.gate.toString('base64url'),
            console_url: config.consoleUrl,
            tunnel_domain: config.tunnelDomain,
            now: clock.now(),
            ended_sessions: await sessions.listEnded(clock.now() - gateLifetimeMs),
            ports: await listOpenPorts(db),
          }
        },
        resolve,
        device_key: async ({ device }) => (await findDeviceKey(db, device)) ?? null,
        session_opened: session => book.open(link, session),
        session_closed: ({ device, session }) => book.close(link, device, session),
        usage: batch => {
          for (const each of batch) usage.add(each.record, each)
        },
      },
      ({ method, cause }) => logger.error({ method, err: cause }, 'control link fault'),
    )
    const link: Link = { peer, isReady: false }
    links.add(link)
    void peer.closed.then(() => {
      links.delete(link)
      book.drop(link)
      logger.info('relay is gone')
    })
  }

  async function settled(): Promise<void> {
    await seen.settled()
    await usage.settled()
  }

  const readyLinks = () => [...links].filter(link => link.isReady)

  return {
    attach,
    async probe(route) {
      const link = book.find(route.device)?.link ?? readyLinks()[0]
      if (link === undefined) return null
      try {
        return await link.peer.request('probe', route, { timeoutMs: probeTimeoutMs })
      } catch (cause) {
        if (!(cause instanceof ControlError)) throw cause
        logger.warn({ code: cause.code }, 'a relay did not answer a probe')
        return null
      }
    },
    routesChanged(keys) {
      if (keys.length === 0) return
      for (const { peer } of links) peer.notify('routes_changed', [...keys])
    },
    revokeDevice(device, code) {
      for (const { peer } of links) peer.notify('device_revoked', { device, code })
    },
    endConsoleSession(session) {
      for (const { peer } of links) peer.notify('console_session_ended', { session })
    },
    isOnline: uid => book.find(uid) !== undefined,
    sessionOf: uid => book.find(uid)?.session,
    serverOf: uid => (book.find(uid) === undefined ? null : builtInRelayId),
    anyRelayOnline: () => readyLinks().length > 0,
    countSessions: () => readyLinks().reduce((sum, link) => sum + book.count(link), 0),
    settled,
    async stop() {
      isStopped = true
      for (const link of links) {
        book.drop(link)
        link.peer.close()
      }
      await settled()
    },
  }
}
