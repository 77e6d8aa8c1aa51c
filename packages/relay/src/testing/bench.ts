import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createLogger } from '@homeport/runtime'
import { afterEach } from 'vitest'
import { createRelay, type Relay, type RelayConfig } from '../index.ts'
import { createTestDevice, linkAgent } from './agent.ts'
import { createTestServer, routeTo } from './control.ts'

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Runs something when the test is over. */
export const whenDone = (close: () => unknown) => closers.push(close)

/** The port of a listening server. */
export const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port

/** An HTTP server on a free port of 127.0.0.1 for the time of the test. */
export async function serveHttp(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  whenDone(() => {
    server.closeAllConnections()
    server.close()
  })
  return portOf(server)
}

/** What a page at home received and answers: the method, the path, and the headers as JSON. */
export const echoServer = () =>
  createServer((incoming, answer) => {
    const { method, url, headers } = incoming
    answer.setHeader('Content-Type', 'application/json')
    answer.end(JSON.stringify({ method, url, headers }))
  })

/** One answer as a visitor got it. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A relay on a free port with a scripted server, a device with its key, and a page at home. */
export async function createBench(config: Partial<RelayConfig> = {}) {
  const server = createTestServer(randomBytes(32))
  server.consoleUrl = config.consoleUrl ?? server.consoleUrl
  const device = createTestDevice('nas')
  server.keys.set(device.uid, device.publicKey)
  const consolePort = await serveHttp(echoServer())
  const homePort = await serveHttp(echoServer())
  const relay: Relay = createRelay({
    host: '127.0.0.1',
    port: 0,
    consoleUrl: server.consoleUrl,
    tunnelDomain: 'localhost',
    allowIpLiteralConsole: false,
    serverAddress: { host: '127.0.0.1', port: consolePort },
    trustedProxies: [],
    relayId: 'relay-1',
    version: '0.1.0',
    logger: createLogger({ level: 'silent', name: 'relay' }),
    connectControl: () => server.connect(),
    ...config,
  })
  await relay.start()
  whenDone(() => relay.stop())
  const { port } = relay.address()
  const target = `http://127.0.0.1:${homePort}`

  /** Asks as a visitor of `host` (with the console's port in `Host`, as a browser would). */
  function visit(
    host: string,
    path = '/',
    options: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ): Promise<Answer> {
    const { method = 'GET', headers = {}, body } = options
    return new Promise((resolve, reject) => {
      const asking = request(
        { host: '127.0.0.1', port, path, method, agent: false, setHost: false },
        answer => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.once('error', reject)
          answer.once('end', () =>
            resolve({
              status: answer.statusCode ?? 0,
              headers: answer.headers,
              body: Buffer.concat(chunks).toString(),
            }),
          )
        },
      )
      asking.setHeader('Host', host.includes(':') ? host : `${host}:8080`)
      for (const [name, value] of Object.entries(headers)) asking.setHeader(name, value)
      asking.once('error', reject)
      asking.end(body)
    })
  }

  return {
    server,
    device,
    relay,
    port,
    target,
    visit,
    link: (options: Parameters<typeof linkAgent>[2] = {}) => linkAgent(port, device, options),
    /** The record `nas.localhost` with changes. */
    route: (changes: Parameters<typeof routeTo>[1] = {}) => routeTo(target, changes),
  }
}

/** Resolves once the condition holds; the test's own time-out bounds it. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise(done => setImmediate(done))
}

/** Headers of a browser that opens a page. */
export const pageHeaders = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
