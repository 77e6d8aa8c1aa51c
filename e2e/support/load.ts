import { type ChildProcess, fork } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { savePairing } from '@homeport/agent'
import type { Route } from '@homeport/contract/control'
import { exportPublicKey } from '@homeport/tunnel'
import { vi } from 'vitest'
import type { AgentsOrders, AgentsReport } from './agents-program.ts'
import type { RelayOrders, RelayReport } from './relay-program.ts'

export const MIB = 1024 * 1024

/** For what a test prints of its figures. */
export const inMib = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`

/** A process that answers questions about itself. */
export interface Reporter<Report> {
  readonly child: ChildProcess
  report(): Promise<Report>
  /** The same after a collection of garbage. */
  reportHeld(): Promise<Report>
  /** What it printed so far. */
  output(): string
  /** Ends it at once and waits until it is gone. */
  kill(): Promise<void>
}

/** What stands behind one test, ended in the reverse order by `dispose`. */
export interface Bench {
  /** Starts a relay; port 0 picks a free one, which is handed back. */
  startRelay(orders?: Partial<RelayOrders>): Promise<Reporter<RelayReport> & { port: number }>
  /** Makes identities of devices as pairing leaves them at the relay of this port. */
  pair(port: number, devices: readonly string[], scheme?: 'http' | 'https'): Promise<PairedDevices>
  /** Starts one process with an agent for each folder; resolves when all of them hold a link. */
  startAgents(orders: Partial<AgentsOrders> & { port: number }): Promise<Reporter<AgentsReport>>
  /** A page at home; its address as a record's target. */
  serveHome(listener: RequestListener): Promise<string>
  dispose(): Promise<void>
}

/** Data folders of devices, and what the server knows of them. */
export interface PairedDevices {
  readonly folders: readonly string[]
  readonly keys: Readonly<Record<string, string>>
}

/** A record of a device, open to everybody, at `<device>.localhost`; the number is the record's and its owner's. */
export const routeTo = (number: number, device: string, target: string): Route => ({
  record: number,
  device,
  device_id: number,
  owner: number,
  kind: 'http',
  host: `${device}.localhost`,
  port: null,
  target,
  access: ['public'],
  options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
})

/** Makes a bench with nothing on it. */
export function createBench(): Bench {
  const cleanups: (() => unknown)[] = []
  return {
    async startRelay(orders = {}) {
      const given: RelayOrders = {
        port: 0,
        keys: {},
        routes: [],
        tls: null,
        limits: {},
        level: 'debug',
        ...orders,
      }
      const relay = startReporter<RelayReport>('./relay-program.ts')
      cleanups.push(relay.kill)
      const { port } = (await relay.order(given)) as { port: number }
      return { ...relay, port }
    },
    async pair(port, devices, scheme = 'http') {
      const folder = await mkdtemp(join(tmpdir(), 'homeport-load-'))
      cleanups.push(() => rm(folder, { recursive: true, force: true }))
      const keys: Record<string, string> = {}
      const folders = devices.map(uid => join(folder, uid))
      const save = async (uid: string, own: string) => {
        const pair = generateKeyPairSync('ed25519')
        const identity = { privateKey: pair.privateKey, publicKey: exportPublicKey(pair.publicKey) }
        await mkdir(own)
        await savePairing(own, identity, { server: `${scheme}://localhost:${port}`, uid })
        keys[uid] = identity.publicKey
      }
      // Each file is brought to the disk: many at once wait for it together.
      for (let start = 0; start < devices.length; start += 100) {
        const some = devices.slice(start, start + 100)
        await Promise.all(some.map((uid, index) => save(uid, folders[start + index] ?? '')))
      }
      return { folders, keys }
    },
    async startAgents({ port, ...orders }) {
      const given: AgentsOrders = {
        server: `http://localhost:${port}`,
        folders: [],
        ca: null,
        level: 'warn',
        ...orders,
      }
      const agents = startReporter<AgentsReport>('./agents-program.ts')
      cleanups.push(agents.kill)
      await agents.order(given)
      await waitUntil(async () => (await agents.report()).linked === given.folders.length)
      return agents
    },
    async serveHome(listener) {
      const server = createServer(listener).listen(0, '127.0.0.1')
      await once(server, 'listening')
      cleanups.push(() => {
        server.closeAllConnections()
        server.close()
      })
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    async dispose() {
      for (const clean of cleanups.splice(0).reverse()) await clean()
    },
  }
}

/** Asks as a visitor on a connection of its own, with a POST where there is a body; the answer's body is unread. */
export const ask = (
  port: number,
  host: string,
  path: string,
  body?: Readable,
): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const asking = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: body === undefined ? 'GET' : 'POST',
        headers: { host },
        agent: false,
      },
      resolve,
    )
    asking.on('error', reject)
    if (body === undefined) asking.end()
    else body.pipe(asking)
  })

/** A whole body as text. */
export async function textOf(stream: Readable): Promise<string> {
  let text = ''
  for await (const chunk of stream) text += chunk
  return text
}

/** Asks ten times a second until the answer is yes; fails after `timeoutMs`. */
export const waitUntil = (isSo: () => boolean | Promise<boolean>, timeoutMs = 60_000) =>
  vi.waitFor(
    async () => {
      if (!(await isSo())) throw new Error(`not so after ${timeoutMs} ms: ${isSo}`)
    },
    { timeout: timeoutMs, interval: 100 },
  )

function startReporter<Report>(program: string) {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    execArgv: ['--expose-gc'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', chunk => {
      text = (text + chunk).slice(-4 * MIB)
    })
  }
  const gone = once(child, 'close')
  /** One question and its answer. */
  const order = async (message: object): Promise<unknown> => {
    const answer = once(child, 'message')
    child.send(message)
    const first = await Promise.race([answer, gone.then(() => null)])
    if (first === null) throw new Error(`${program} ended:\n${text}`)
    return first[0]
  }
  return {
    child,
    order,
    report: () => order({ collects: false }) as Promise<Report>,
    reportHeld: () => order({ collects: true }) as Promise<Report>,
    output: () => text,
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
