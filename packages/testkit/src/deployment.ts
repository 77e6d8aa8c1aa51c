import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { type Agent, startAgent } from '@homeport/agent'
import { createPortChannel } from '@homeport/contract/control'
import { createRelay } from '@homeport/relay'
import { createLogger, systemClock } from '@homeport/runtime'
import { createServer } from '@homeport/server'

/** Server and relay in this process on a free loopback port, with agents beside them. */
export interface Deployment {
  /** Origin of the console: `http://localhost:<port>`; records are under `*.localhost`. */
  url: string
  /** The administrator's one-time link. */
  setupLink: string
  /** Starts an agent of its own data folder; resolves when it is linked. */
  startAgent(options: { token: string; name: string }): Promise<Agent>
  stop(): Promise<void>
}

/** Starts a deployment on SQLite, or on the PostgreSQL database of `databaseUrl`, which must be empty. */
export async function startDeployment(options: { databaseUrl?: string } = {}): Promise<Deployment> {
  const folder = await mkdtemp(join(tmpdir(), 'homeport-testkit-'))
  const logger = createLogger({ level: 'silent', name: 'testkit' })
  const socket = join(folder, 'server.sock')
  const shared = { tunnelDomain: 'localhost', version: '0.0.0-test', clock: systemClock, logger }
  const port = await findFreePort()
  const url = `http://localhost:${port}`
  const server = await createServer({
    ...shared,
    listen: { path: socket },
    consoleUrl: url,
    extraConsoleHosts: 'none',
    mode: 'development',
    billing: false,
    signup: 'invite',
    sms: { way: 'off' },
    tcpPorts: { from: 21_000, to: 21_999 },
    dataFolder: folder,
    secretKey: randomBytes(32),
    ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
  })
  await server.start()
  const { port1, port2 } = new MessageChannel()
  server.attachRelay(createPortChannel(port2))
  const relay = createRelay({
    ...shared,
    host: '127.0.0.1',
    port,
    consoleUrl: url,
    allowIpLiteralConsole: false,
    serverAddress: { path: socket },
    trustedProxies: [],
    relayId: 'testkit',
    connectControl: async () => createPortChannel(port1),
  })
  await relay.start()
  const agents: Agent[] = []
  return {
    url,
    setupLink: server.setupLink() ?? '',
    async startAgent({ token, name }) {
      const linked = Promise.withResolvers<void>()
      const agent = startAgent({
        server: new URL(url),
        token,
        name,
        dataFolder: join(folder, `agent-${agents.length}`),
        allow: [],
        allowLoopback: true,
        insecure: false,
        version: shared.version,
        logger,
        onLinked: isLinked => isLinked && linked.resolve(),
      })
      agents.push(agent)
      await Promise.race([linked.promise, agent.finished])
      return agent
    },
    async stop() {
      await Promise.all(agents.map(agent => agent.stop()))
      await relay.stop()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// The console's address is part of the configuration, so the port has to be known before anything listens.
async function findFreePort(): Promise<number> {
  const probe = net.createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as net.AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
