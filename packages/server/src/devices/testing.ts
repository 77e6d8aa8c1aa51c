import { createHash, randomBytes } from 'node:crypto'
import type { UserEvent } from '@homeport/contract'
import { createLogger } from '@homeport/runtime'
import { createManualClock } from '@homeport/runtime/testing'
import { createAccounts } from '../accounts/service.ts'
import { createSessions } from '../accounts/sessions.ts'
import { parseUserId, type UserId } from '../accounts/user-id.ts'
import type { ServerConfig } from '../config.ts'
import type { ServerContext } from '../context.ts'
import type { OpenTestDatabase } from '../db/testing.ts'
import { createEventBus } from '../events/bus.ts'
import { deriveKeys } from '../keys.ts'
import { createRecordService } from '../records/service.ts'
import { createRelayHub } from '../relays/hub.ts'
import { createPairingService } from './pairing-service.ts'
import { createDeviceService } from './service.ts'

function fail(cause: unknown): never {
  throw cause
}

/** The rooms devices, records, gate and relays on a database of their own, with the clock in the test's hand. */
export async function openTestRooms(
  openTestDatabase: OpenTestDatabase,
  changes: Partial<ServerConfig> = {},
) {
  const database = await openTestDatabase()
  const { db } = database
  const clock = createManualClock(Date.UTC(2026, 10, 20, 12))
  const logger = createLogger({ level: 'silent', name: 'test' })
  const secretKey = randomBytes(32)
  const config: ServerConfig = {
    listen: { host: '127.0.0.1', port: 0 },
    consoleUrl: 'http://localhost:8080',
    tunnelDomain: 'localhost',
    extraConsoleHosts: 'none',
    mode: 'development',
    billing: false,
    signup: 'off',
    sms: { way: 'off' },
    tcpPorts: { from: 20_000, to: 20_999 },
    dataFolder: '',
    secretKey,
    version: '0.0.0',
    clock,
    logger,
    ...changes,
  }
  const context: ServerContext = {
    db,
    clock,
    logger,
    config,
    keys: deriveKeys(secretKey),
    bus: createEventBus(fail),
    // Nobody signs in by password here: sessions are begun by the test.
    passwords: { requireRoom() {}, hash: fail, verify: fail },
    outbox: null,
  }
  const sessions = createSessions(context)
  const accounts = createAccounts(context, sessions)
  const hub = createRelayHub(context, sessions)
  const records = createRecordService(context, hub)
  const events: { user: UserId; event: UserEvent }[] = []

  return {
    context,
    db,
    clock,
    sessions,
    accounts,
    hub,
    records,
    devices: createDeviceService(context, records, hub),
    pairings: createPairingService(context, accounts),
    /** What open pages of the users made by `addUser` were told. */
    events,
    async addUser(username: string): Promise<UserId> {
      const userId = await accounts.create(db, {
        username,
        passwordHash: '',
        isAdministrator: false,
        acceptedTermsOfService: true,
      })
      context.bus.subscribe(userId, event => events.push({ user: userId, event }))
      return parseUserId(userId)
    },
    async close() {
      await hub.stop()
      await database.close()
    },
  }
}

/** The rooms of `openTestRooms`. */
export type TestRooms = Awaited<ReturnType<typeof openTestRooms>>

/** Facts of a device; the same seed has the same key. */
export const factsOf = (seed: string) => ({
  public_key: createHash('sha256').update(seed).digest('base64url'),
  name: seed,
  model: 'x86',
  agent: 'homeport-agent',
  agent_version: '0.1.0',
})

/** Pairs a device by the owner's long-lived token; gives its row's id and uid. */
export async function addDevice(
  rooms: Pick<TestRooms, 'accounts' | 'pairings' | 'devices'>,
  owner: UserId,
  seed: string,
): Promise<{ id: number; uid: string }> {
  const { token } = await rooms.accounts.getProfile(owner)
  const { uid } = await rooms.pairings.pair(token, factsOf(seed), '203.0.113.5')
  const list = await rooms.devices.list(owner, {
    search: uid,
    ordering: 'name',
    limit: 1,
    offset: 0,
  })
  const [row] = list.results
  if (row === undefined) throw new Error('the device is not in the list')
  return { id: row.id, uid }
}

/** The code of the AppError a promise rejects with, and the codes of its input problems by path. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<{ code: string; errors: Record<string, string> }> {
  const outcome = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  const { code, errors } = (outcome ?? {}) as {
    code?: string
    errors?: { path: string; code: string }[]
  }
  if (code === undefined) throw outcome ?? new Error('it was not refused')
  return { code, errors: Object.fromEntries((errors ?? []).map(e => [e.path, e.code])) }
}
