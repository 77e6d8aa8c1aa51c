import { chmod } from 'node:fs/promises'
import path from 'node:path'
import type { ControlChannel } from '@homeport/contract/control'
import type { Timer } from '@homeport/runtime'
import { createPasswords } from './accounts/passwords.ts'
import { type Administration, createAdministration } from './administration.ts'
import { createAccountRooms, createServerApp } from './app.ts'
import type { ServerConfig } from './config.ts'
import type { ServerContext } from './context.ts'
import { type DatabasePlace, type OpenDatabase, openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { type DemoHome, seedDemo } from './demo/seed-demo.ts'
import { createEventBus } from './events/bus.ts'
import { deriveKeys } from './keys.ts'

/** Rows nobody asks for any more are removed this often, in ms. */
const tidyPeriodMs = 60 * 60 * 1000

/** Calls in flight may go on for this many ms when the server stops; then their connections are cut. */
const drainTimeoutMs = 5_000

/** One server: the console's API and files, the accounts, the server's end of control links. */
export interface HomeportServer {
  /** Listens; rejects where the place is taken. */
  start(): Promise<void>
  /** Ends event streams and control links, lets calls in flight end, closes the database. Every caller waits for one stop. */
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
  return {
    ...createAdministration(createAccountRooms(context), config.consoleUrl),
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
  const database = openDatabase(placeOf(config), onDatabaseFault)
  try {
    await migrate(database.db)
    const passwords = await createPasswords()
    const bus = createEventBus(onListenerFault)
    return { context: { db: database.db, clock, keys, config, logger, bus, passwords }, database }
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
  const { clock, config, logger } = context
  const rooms = createAccountRooms(context)
  const { http, hub, records, streams, captchas } = createServerApp(context, rooms)
  const setupLink = await rooms.signUps.prepareFirstStart()
  let tidying: Timer | undefined
  let stopped: Promise<void> | undefined

  const tidy = () =>
    Promise.all([rooms.sessions.removeOld(), captchas.removeOld()]).catch(cause => {
      logger.error({ err: cause }, 'old rows were not removed')
    })

  const stopping = new AbortController()
  async function stop(): Promise<void> {
    stopping.abort()
    tidying?.cancel()
    streams.close()
    const cutting = clock.setTimeout(() => http.server.closeAllConnections(), drainTimeoutMs)
    await hub.stop()
    await captchas.pool.stop()
    await http.close()
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
    admin: createAdministration(rooms, config.consoleUrl),
    seedDemo: home =>
      seedDemo(context, { accounts: rooms.accounts, records, hub }, home, stopping.signal),
  }
}
