/**
 * The relay of a run, in a process of its own. The server is left out: the other end of the control link answers here. Sends
 * `{ port }` when the front door listens and `{ linked: true }` for each agent's session.
 */
import { randomBytes } from 'node:crypto'
import process from 'node:process'
import { MessageChannel } from 'node:worker_threads'
import {
  createPortChannel,
  createServerPeer,
  type Route,
  type RouteKey,
} from '@homeport/contract/control'
import { createRelay, type RelayConfig } from '@homeport/relay'
import { createLogger } from '@homeport/runtime'

/** What the relay is told, as JSON in its first argument. */
export interface RelayTask {
  /** Raw public key of the one device. */
  readonly publicKey: string
  readonly tls: RelayConfig['tls'] | null
  /** Host names of http records to their targets. */
  readonly hosts: Readonly<Record<string, string>>
  /** Ports of tcp records to their targets. */
  readonly ports: Readonly<Record<string, string>>
}

const { publicKey, tls, hosts, ports }: RelayTask = JSON.parse(process.argv[2] ?? '')

/** Every record is public and on the one device. */
function routeTo(key: RouteKey): Route | undefined {
  const target = key.kind === 'host' ? hosts[key.host] : ports[key.port]
  if (target === undefined) return undefined
  return {
    record: 1,
    device: 'bench',
    device_id: 1,
    owner: 1,
    kind: key.kind === 'host' ? 'http' : 'tcp',
    host: key.kind === 'host' ? key.host : '',
    port: key.kind === 'host' ? null : key.port,
    target,
    access: ['public'],
    options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
  }
}

const consoleUrl = `${tls ? 'https' : 'http'}://localhost`
const { port1, port2 } = new MessageChannel()
createServerPeer(
  createPortChannel(port1),
  {
    hello: () => ({
      gate_key: randomBytes(32).toString('base64url'),
      console_url: consoleUrl,
      tunnel_domain: 'localhost',
      ended_sessions: [],
      ports: Object.keys(ports).map(Number),
    }),
    resolve: key => {
      const route = routeTo(key)
      if (route === undefined) return { allow: false, code: 'unknown_name', max_age_ms: 60_000 }
      return { allow: true, route, max_age_ms: 60_000 }
    },
    device_key: () => ({ public_key: publicKey }),
    session_opened: () => process.send?.({ linked: true }),
    session_closed: () => undefined,
    usage: () => undefined,
  },
  fault => {
    throw fault.cause
  },
)
// All visitors come from one address to one record of one device, more of them than the bounds give to that: they are counted as always,
// and let in.
const plenty = 1_000_000
const relay = createRelay({
  host: '127.0.0.1',
  port: 0,
  tls: tls ?? undefined,
  consoleUrl,
  tunnelDomain: 'localhost',
  allowIpLiteralConsole: false,
  serverAddress: { host: '127.0.0.1', port: 9 },
  trustedProxies: [],
  relayId: 'bench',
  version: '0.0.0',
  limits: {
    arrival: {
      newConnectionsPerAddressBurst: plenty,
      newConnectionsPerAddressPerSecond: plenty,
      newConnectionsPerNetworkBurst: plenty,
      newConnectionsPerNetworkPerSecond: plenty,
      newConnectionsBurst: plenty,
      newConnectionsPerSecond: plenty,
    },
    links: {
      newFlowsPerRecordBurst: plenty,
      newFlowsPerRecordPerSecond: plenty,
      newFlowsPerDeviceBurst: plenty,
      newFlowsPerDevicePerSecond: plenty,
    },
  },
  logger: createLogger({ level: 'error', name: 'bench' }),
  connectControl: async () => createPortChannel(port2),
})
// Nobody is left to measure.
process.once('disconnect', () => process.exit())
await relay.start()
process.send?.({ port: relay.address().port })
