import type { AccessWay } from '@homeport/contract'
import type { Accounts } from '../accounts/service.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { createPairingService } from '../devices/pairing-service.ts'
import { createDeviceService } from '../devices/service.ts'
import { AppError } from '../http/app-error.ts'
import type { RecordService } from '../records/service.ts'
import type { RelayHub } from '../relays/hub.ts'

/** A page of the sample home. */
export interface DemoPage {
  name: string
  remark: string
  access: AccessWay
  /** Canonical target; it moves with every start. */
  target: string
}

/** The sample home of `--demo`. It can be sent to a worker thread. */
export interface DemoHome {
  /** Raw Ed25519 public key of its agent, base64url. */
  publicKey: string
  deviceName: string
  model: string
  agentVersion: string
  pages: DemoPage[]
}

/** What the sample home is made with. */
export interface DemoRooms {
  accounts: Accounts
  records: RecordService
  hub: RelayHub
}

const lookPeriodMs = 500

/**
 * Gives the first administrator the sample home, as soon as there is one: the device and its records, with today's targets.
 * Answers the device's uid; never settles where the signal comes first. A name that somebody else took is left out and logged.
 */
export async function seedDemo(
  context: ServerContext,
  rooms: DemoRooms,
  home: DemoHome,
  signal: AbortSignal,
): Promise<string> {
  const owner = await waitForAdministrator(context, rooms.accounts, signal)
  const pairings = createPairingService(context, rooms.accounts)
  const devices = createDeviceService(context, rooms.records, rooms.hub)
  const { token } = await pairings.signToken(owner)
  const { uid } = await pairings.pair(
    token,
    {
      public_key: home.publicKey,
      name: home.deviceName,
      model: home.model,
      agent: 'homeport-agent',
      agent_version: home.agentVersion,
    },
    '127.0.0.1',
  )
  const found = await devices.list(owner, { search: uid, ordering: 'name', limit: 1, offset: 0 })
  const device = found.results[0]
  if (device === undefined) throw new Error('the sample device is gone again')
  for (const page of home.pages) {
    const known = device.records.find(record => record.name === page.name)
    try {
      if (known === undefined) await publish(rooms.records, owner, device.id, page)
      else await rooms.records.patch(owner, known.id, { target: page.target })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      context.logger.warn({ name: page.name, code: error.code }, 'a sample page is not published')
    }
  }
  return uid
}

const publish = (records: RecordService, owner: UserId, router: number, page: DemoPage) =>
  records.create(owner, {
    router,
    kind: 'http',
    name: page.name,
    remark: page.remark,
    target: page.target,
    access: [page.access],
  })

// Accounts are made in rooms that need not know of a demo, so it looks for itself; twice a second, in demos only.
function waitForAdministrator(
  { clock, logger }: ServerContext,
  accounts: Accounts,
  signal: AbortSignal,
): Promise<UserId> {
  return new Promise(resolve => {
    const look = async () => {
      const found = await accounts.findAdministrator()
      if (found === null || signal.aborted) return
      looking.cancel()
      resolve(found)
    }
    const attempt = () => {
      look().catch(cause => logger.error({ err: cause }, 'the sample home found no owner'))
    }
    const looking = clock.setInterval(attempt, lookPeriodMs)
    signal.addEventListener('abort', looking.cancel, { once: true })
    attempt()
  })
}
