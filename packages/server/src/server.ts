import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { ControlChannel } from '@homeport/contract/control'
import type { Timer } from '@homeport/runtime'
import { createLeaving } from './accounts/leaving.ts'
import { createPasswords } from './accounts/passwords.ts'
import { type Administration, createAdministration } from './administration.ts'
import { createAccountRooms, createServerApp } from './app.ts'
import type { ServerConfig } from './config.ts'
import type { ServerContext } from './context.ts'
import { removeOldCounts } from './db/counted-uses.ts'
import { type DatabasePlace, type OpenDatabase, openMigratedDatabase } from './db/database.ts'
import { removeOldSingleUses } from './db/single-use.ts'
import { type DemoHome, seedDemo } from './demo/seed-demo.ts'
import { createEventBus } from './events/bus.ts'
import { deriveKeys } from './keys.ts'
import { createOutbox } from './messages/outbox.ts'
import { createRecordService } from './records/service.ts'

/** Rows nobody asks for any more are removed this often, in ms. */
const tidyPeriodMs = 60 * 60 * 1000

/** Calls in flight may go on for this many ms when the server stops; then their connections are cut. */
const drainTimeoutMs = 5_000

/** One server: the console's API and files, the accounts, the server's end of control links. */
export interface HomeportServer {
  /** Listens; rejects where the place is taken. */
  start(): Promise<void>
  /** Ends event streams and answers long polls, and those that come later at once; calls go on. */
  refuse(): void
  /** Ends control links too, lets calls in flight end, closes the database. Every caller waits for one stop. */
  stop(): Promise<void>
  /** Where it listens: a TCP port, or null on a private socket. */
  port(): number | null
  /** Serves a relay until its channel closes. */
  attachRelay(channel: ControlChannel): void
  /** The one-time link that makes the administrator; null where there was an account at the start. */
  setupLink(): string | null
  readonly admin: Administration
  /** Gives the first administrator the sample home, once there is one; answers its device's uid. */
  seedDemo(home: DemoHome): Promise<string>
}

/** Opens the database, brings it up to date, prepares the first start. Rejects with the first fault. */
export async function createServer(config: ServerConfig): Promise<HomeportServer> {
  const { context, database } = await openContext(config)
  try {
    return await assemble(context, database)
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Opens the database for the command line alone: no listener, no relay. Close it when done. */
export async function openAdministration(
  config: ServerConfig,
): Promise<Administration & { close(): Promise<void> }> {
  const { context, database } = await openContext(config)
  const rooms = createAccountRooms(context)
  // No relay is attached here: those of a running server learn of a change when they ask anew, within ten minutes.
  const hub = { routesChanged() {}, revokeDevice() {} }
  const records = createRecordService(context, hub)
  const leaving = createLeaving(context, { sessions: rooms.sessions, records, hub })
  return {
    ...createAdministration({ ...rooms, leaving }, config.consoleUrl),
    close: () => database.close(),
  }
}

async function openContext(
  config: ServerConfig,
): Promise<{ context: ServerContext; database: OpenDatabase }> {
  const { clock, logger } = config
  const keys = deriveKeys(config.secretKey)
  const onDatabaseFault = (cause: unknown) => logger.error({ err: cause }, 'database fault')
  const onListenerFault = (cause: unknown) =>
    logger.error({ err: cause }, 'an event listener failed')
  const database = await openMigratedDatabase(placeOf(config), onDatabaseFault)
  try {
    const passwords = await createPasswords()
    const bus = createEventBus(onListenerFault)
    const outbox = createOutbox(config)
    const parts = { clock, keys, config, logger, bus, passwords, outbox }
    return { context: { db: database.db, ...parts }, database }
  } catch (error) {
    await database.close()
    throw error
  }
}

const placeOf = ({ databaseUrl, dataFolder }: ServerConfig): DatabasePlace =>
  databaseUrl === undefined
    ? { file: path.join(dataFolder, 'homeport.sqlite') }
    : { url: databaseUrl }

async function assemble(context: ServerContext, database: OpenDatabase): Promise<HomeportServer> {
  const { db, clock, config, logger } = context
  const rooms = createAccountRooms(context)
  const { http, hub, records, streams, captchas, leaving, mailer, ssoEvents, ssoProvider } =
    createServerApp(context, rooms)
  const setupLink = await rooms.signUps.prepareFirstStart()
  let tidying: Timer | undefined
  let stopped: Promise<void> | undefined

  const tidy = () =>
    Promise.all([
      rooms.sessions.removeOld(),
      removeOldSingleUses(db, clock.now()),
      ssoEvents.removeOld(),
      ssoProvider.removeOld(),
      removeOldCounts(db, clock.now()),
      leaving.removeDue(),
    ]).catch(cause => {
      logger.error({ err: cause }, 'old rows were not removed')
    })

  const stopping = new AbortController()
  function refuse(): void {
    streams.close()
    ssoEvents.close()
  }
  async function stop(): Promise<void> {
    stopping.abort()
    tidying?.cancel()
    refuse()
    const cutting = clock.setTimeout(() => http.server.closeAllConnections(), drainTimeoutMs)
    await hub.stop()
    await captchas.pool.stop()
    await http.close()
    await mailer.stop()
    cutting.cancel()
    await database.close()
  }

  return {
    async start() {
      await tidy()
      tidying = clock.setInterval(tidy, tidyPeriodMs)
      await http.listen(config.listen)
      // The folder's mode keeps others out; the socket's own is the second lock.
      if ('path' in config.listen && !config.listen.path.startsWith('\\\\')) {
        await chmod(config.listen.path, 0o600)
      }
    },
    refuse,
    stop() {
      stopped ??= stop()
      return stopped
    },
    port() {
      const address = http.server.address()
      return address !== null && typeof address === 'object' ? address.port : null
    },
    attachRelay: channel => hub.attach(channel),
    setupLink: () => setupLink,
    admin: createAdministration({ ...rooms, leaving }, config.consoleUrl),
    seedDemo: home =>
      seedDemo(context, { accounts: rooms.accounts, records, hub }, home, stopping.signal),
  }
}
