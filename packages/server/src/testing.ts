import { mkdtemp, rm } from 'node:fs/promises'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text as readText } from 'node:stream/consumers'
import type { Call, CallArguments, CallResult, Problem } from '@homeport/contract'
import { buildPath } from '@homeport/contract'
import { createLogger } from '@homeport/runtime'
import { createManualClock, type ManualClock } from '@homeport/runtime/testing'
import type { ServerSettings } from './config.ts'
import { createServer, type HomeportServer } from './server.ts'

/** The administrator of every test server. */
export const admin = { account: 'admin', password: 'correct horse battery' }

/** A server on a private socket with a database of its own and a clock that the test moves. */
export interface TestServer {
  readonly server: HomeportServer
  readonly clock: ManualClock
  readonly settings: ServerSettings
  /** Lines of its log. */
  readonly log: string[]
  /** A browser without cookies. */
  open(options?: BrowserOptions): TestBrowser
  /** A browser in which somebody is signed in; the administrator unless told. */
  signIn(
    who?: { account: string; password: string },
    options?: BrowserOptions,
  ): Promise<TestBrowser>
  /** Makes an account by invitation and signs it in. */
  signUp(username: string): Promise<TestBrowser>
  /** Stops it and starts another one on its data; the clock goes on, browsers stay as they are. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** What a test server may have other than usual; without an administrator's password it waits for its set-up. */
export type TestSettings = Partial<Omit<ServerSettings, 'adminPassword'>> & {
  adminPassword?: string | null
  /** First date of its clock, epoch ms. */
  startAt?: number
}

/** Starts one. */
export async function startTestServer(given: TestSettings = {}): Promise<TestServer> {
  const { adminPassword = admin.password, startAt, ...settings } = given
  const folder = await mkdtemp(path.join(tmpdir(), 'homeport-server-'))
  const clock = createManualClock(startAt)
  const log: string[] = []
  const logger = createLogger({
    level: 'debug',
    name: 'test',
    destination: { write: line => void log.push(line) },
  })
  const used: ServerSettings = {
    listen: { path: path.join(folder, 'server.sock') },
    consoleUrl: 'http://localhost:8080',
    tunnelDomain: 'localhost',
    extraConsoleHosts: 'none',
    mode: 'development',
    billing: true,
    signup: 'invite',
    sms: { way: given.mode === 'production' ? 'off' : 'outbox' },
    tcpPorts: { from: 20_000, to: 20_999 },
    dataFolder: folder,
    secretKey: Buffer.alloc(32, 7),
    version: '0.1.0',
    ...(adminPassword === null ? {} : { adminPassword }),
    ...settings,
  }
  let server = await createServer({ ...used, clock, logger })
  await server.start()
  const open = (options: BrowserOptions = {}) => createTestBrowser(used, options)

  async function signIn(who = admin, options: BrowserOptions = {}): Promise<TestBrowser> {
    const browser = open(options)
    await browser.get('/api/login_status/')
    const answer = await browser.post('/custom/login/', who)
    if (answer.status !== 200) throw new Error(`sign-in failed: ${answer.text}`)
    return browser
  }

  return {
    get server() {
      return server
    },
    clock,
    settings: used,
    log,
    open,
    signIn,
    async signUp(username) {
      const link = await server.admin.createInvite()
      const browser = open()
      await browser.get('/api/login_status/')
      const answer = await browser.post('/custom/signup/', {
        username,
        password: admin.password,
        invite: new URL(link).hash.split('invite=')[1],
        accepted_terms_of_service: true,
      })
      if (answer.status !== 201) throw new Error(`sign-up failed: ${answer.text}`)
      return browser
    },
    async restart() {
      await server.stop()
      server = await createServer({ ...used, clock, logger })
      await server.start()
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Who a test browser is to the server. */
export interface BrowserOptions {
  /** As the relay saw it. */
  address?: string
  /** The chain that the relay passes on where a proxy stands before it; the address alone unless told. */
  forwardedFor?: string
  /** Origin the browser is on; the console's unless told. */
  origin?: string
  language?: string
}

/** One answer. */
export interface TestAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts what it reads
  json(): any
  problem(): Problem
}

/** What a request may carry beside its cookies; a header that is undefined is left out. */
export interface RequestOptions {
  headers?: Record<string, string | undefined>
  /** Sent as it is instead of JSON. */
  raw?: string | Buffer
}

/** A browser as the server sees it: keeps cookies, sends Origin and the CSRF header with unsafe calls. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<TestAnswer>
  get(path: string, options?: RequestOptions): Promise<TestAnswer>
  post(path: string, body?: unknown, options?: RequestOptions): Promise<TestAnswer>
  /** Makes a call of the contract; throws where the answer is no success. */
  call<C extends Call>(call: C, args: CallArguments<C>): Promise<CallResult<C>>
  /** Opens an answer without reading its body; `signal` hangs up. */
  openStream(path: string, signal?: AbortSignal): Promise<IncomingMessage>
}

/** Makes a browser on a server that runs elsewhere. */
export function createTestBrowser(
  settings: Pick<ServerSettings, 'listen' | 'consoleUrl'>,
  options: BrowserOptions,
): TestBrowser {
  const cookies = new Map<string, string>()
  const origin = options.origin ?? settings.consoleUrl

  function start(
    method: string,
    target: string,
    headers: Record<string, string | undefined>,
    body?: string | Buffer,
    signal?: AbortSignal,
  ) {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const isUnsafe = method !== 'GET' && method !== 'HEAD'
    const all: Record<string, string | undefined> = {
      Host: new URL(origin).host,
      'X-Forwarded-For': options.forwardedFor ?? options.address ?? '192.0.2.1',
      'X-Real-IP': options.address ?? '192.0.2.1',
      'X-Forwarded-Host': new URL(origin).host,
      'X-Forwarded-Proto': new URL(origin).protocol.slice(0, -1),
      'User-Agent': 'test',
      'Accept-Language': options.language,
      Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') || undefined,
      'X-CSRFToken': cookies.get('csrftoken'),
      ...(isUnsafe ? { Origin: origin } : {}),
      ...headers,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const { listen } = settings
    const place = 'path' in listen ? { socketPath: listen.path } : listen
    const outgoing = request({
      ...place,
      method,
      path: target,
      headers: given as Record<string, string>,
      agent: false,
      signal,
    })
    outgoing.once('response', resolve)
    outgoing.once('error', reject)
    outgoing.end(body)
    return promise
  }

  function keepCookies(headers: IncomingHttpHeaders): void {
    for (const line of headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0(;|$)/.test(line)) cookies.delete(name)
      else cookies.set(name, value)
    }
  }

  const browser: TestBrowser = {
    cookies,
    async send(method, target, body, { headers = {}, raw } = {}) {
      const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
      // Node frames no body of a GET or DELETE by itself.
      const type =
        payload === undefined
          ? {}
          : {
              'Content-Type': 'application/json',
              'Content-Length': String(Buffer.byteLength(payload)),
            }
      const response = await start(method, target, { ...type, ...headers }, payload)
      const text = await readText(response)
      keepCookies(response.headers)
      return {
        status: response.statusCode ?? 0,
        headers: response.headers,
        text,
        json: () => JSON.parse(text),
        problem: () => JSON.parse(text),
      }
    },
    get: (target, options) => browser.send('GET', target, undefined, options),
    post: (target, body, options) => browser.send('POST', target, body, options),
    async call(call, args) {
      const loose = args as { body?: unknown }
      const answer = await browser.send(call.method, buildPath(call, args), loose.body)
      if (answer.status >= 300) throw new Error(`${call.name}: ${answer.status} ${answer.text}`)
      return answer.text === '' ? undefined : answer.json()
    },
    openStream: (target, signal) => start('GET', target, {}, undefined, signal),
  }
  return browser
}
