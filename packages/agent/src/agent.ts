import { setGlobalProxyFromEnv } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { type Backoff, createBackoff, type Logger } from '@homeport/runtime'
import { connectThroughProxy } from '@homeport/tunnel'
import { type OpenFlows, serveFlow } from './accept/serve-flow.ts'
import { readLanFacts } from './discovery/lan-facts.ts'
import { type Identity, loadIdentity, savePairing } from './identity/identity-file.ts'
import {
  type DeviceFacts,
  PairingError,
  pairByConfirmation,
  pairWithToken,
} from './identity/pair.ts'
import { isLoopbackServer } from './link/loopback-server.ts'
import { findProxy, type ProxyEnv } from './link/proxy-from-env.ts'
import { stayLinked } from './link/stay-linked.ts'
import { createAllowList } from './targets/allow-list.ts'

/** How an agent runs. */
export interface AgentOptions {
  server: URL
  /** Token or its signed form, for the first start; absent: a link to confirm is shown. */
  token?: string
  dataFolder: string
  /** Name of the device in the console; the host's name where absent. */
  name?: string
  /** CIDR ranges the agent may reach; empty: private ranges. */
  allow: readonly string[]
  allowLoopback: boolean
  /** Lets `http:` to a host that is not loopback through. */
  insecure: boolean
  version: string
  logger: Logger
  /** Certificates trusted instead of the system's, PEM. */
  ca?: string
  /** Where `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are read; the process's own environment. */
  env?: ProxyEnv
  backoff?: Backoff
  /** Told the address to confirm a pairing without a token. */
  onConfirmationLink?: (link: { url: string; expiresAt: string }) => void
  onLinked?: (isLinked: boolean) => void
}

/** A running agent. */
export interface Agent {
  /** Settles when the agent is over: after `stop`, or rejected where only a person can help. */
  readonly finished: Promise<void>
  stop(): Promise<void>
}

// Below the relay's 10 s, so that the agent's own reason reaches the visitor's page.
const dialTimeoutMs = 8000

/** Starts an agent. Throws TypeError at once where its options cannot work. */
export function startAgent(options: AgentOptions): Agent {
  const { server } = options
  if (server.protocol !== 'https:' && server.protocol !== 'http:') {
    throw new TypeError('--server must be an http:// or https:// address')
  }
  if (server.protocol === 'http:' && !isLoopbackServer(server) && !options.insecure) {
    throw new TypeError(
      '--server http:// sends everything in the clear; use https://, or --insecure if you must',
    )
  }
  const allowList = createAllowList({
    ranges: options.allow,
    loopback: options.allowLoopback || isLoopbackServer(server),
  })
  const proxy = findProxy(server, options.env ?? process.env)
  const tls = options.ca === undefined ? undefined : { ca: options.ca }
  const flows: OpenFlows = new Map()
  const stopping = new AbortController()
  const run = async () => {
    const identity = await pair(options, proxy, stopping.signal)
    const uid = identity.pairing?.uid
    if (uid === undefined) return
    await stayLinked({
      link: {
        server,
        key: identity.privateKey,
        device: uid,
        tls,
        ...(proxy !== null && {
          connect: (url, signal) => connectThroughProxy(url, { proxy, tls, signal }),
        }),
      },
      info: () => {
        const facts = readLanFacts()
        return { agentVersion: options.version, model: facts.model, lanIp: facts.lanAddress }
      },
      backoff: options.backoff ?? createBackoff({ minMs: 500, maxMs: 30_000 }),
      logger: options.logger,
      serve: stream => {
        serveFlow(stream, {
          flows,
          allowList,
          dialTimeoutMs,
          onRefused: ({ error, ...flow }) =>
            options.logger.info(
              { ...flow, code: error.code, detail: error.detail },
              'flow refused',
            ),
        }).catch(error => options.logger.warn({ err: error }, 'a stream could not be served'))
      },
      onLinked: options.onLinked ?? (() => undefined),
      signal: stopping.signal,
    })
  }
  const finished = run()
  return {
    finished,
    stop: async () => {
      stopping.abort()
      await finished.catch(() => undefined) // whoever waits for `finished` is told the reason
    },
  }
}

async function pair(
  options: AgentOptions,
  proxy: URL | null,
  signal: AbortSignal,
): Promise<Identity> {
  const identity = await loadIdentity(options.dataFolder)
  const { server } = options
  if (identity.pairing?.server === server.origin) return identity
  if (identity.pairing !== undefined) {
    throw new PairingError(
      `this data folder belongs to a device at ${identity.pairing.server}; use another --data for ${server.origin}`,
    )
  }
  const facts = readLanFacts()
  const device: DeviceFacts = {
    public_key: identity.publicKey,
    name: options.name ?? facts.hostname,
    model: facts.model,
    agent_version: options.version,
  }
  const uid = await throughProxy(proxy, () => findUid(options, device, signal))
  if (uid === null) return identity
  options.logger.info({ uid }, 'paired')
  return savePairing(options.dataFolder, identity, { server: server.origin, uid })
}

// fetch knows proxies only for the whole process: it is told for as long as pairing takes.
async function throughProxy<T>(proxy: URL | null, work: () => Promise<T>): Promise<T> {
  if (proxy === null) return work()
  const restore = setGlobalProxyFromEnv({ HTTPS_PROXY: proxy.href, HTTP_PROXY: proxy.href })
  try {
    return await work()
  } finally {
    restore()
  }
}

async function findUid(
  options: AgentOptions,
  device: DeviceFacts,
  signal: AbortSignal,
): Promise<string | null> {
  if (options.token !== undefined) return pairWithToken(options.server, options.token, device)
  try {
    return await pairByConfirmation(options.server, device, {
      signal,
      pollMs: 2000,
      onLink: options.onConfirmationLink ?? (() => undefined),
      wait: (ms, waitSignal) => delay(ms, undefined, { signal: waitSignal }),
    })
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}
