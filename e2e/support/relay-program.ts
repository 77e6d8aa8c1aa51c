// A relay as a process of its own, with a scripted server: it is told what to answer by one message and answers each
// further one with a report. Started by `startRelay` in load.ts.
import { randomBytes } from 'node:crypto'
import { MessageChannel } from 'node:worker_threads'
import { createPortChannel, createServerPeer, type Route } from '@homeport/contract/control'
import { createRelay, type RelayConfig } from '@homeport/relay'
import { createLogger, type LogLevel } from '@homeport/runtime'
import { type MemoryReport, type ReportQuestion, watchMemory } from './memory-peak.ts'

/** What a relay is told at its start. */
export interface RelayOrders {
  readonly port: number
  /** Public keys by device. */
  readonly keys: Readonly<Record<string, string>>
  readonly routes: readonly Route[]
  readonly tls: RelayConfig['tls'] | null
  readonly limits: NonNullable<RelayConfig['limits']>
  readonly level: LogLevel
}

/** What a relay answers when it is asked. */
export interface RelayReport extends MemoryReport {
  /** When each session began, epoch ms. */
  readonly openedAt: readonly number[]
  /** Devices that are here now. */
  readonly present: number
}

async function runRelay({ port, keys, routes, tls, limits, level }: RelayOrders): Promise<void> {
  const { port1, port2 } = new MessageChannel()
  const openedAt: number[] = []
  const present = new Set<string>()
  createServerPeer(
    createPortChannel(port1),
    {
      hello: () => ({
        gate_key: randomBytes(32).toString('base64url'),
        console_url: 'http://localhost',
        tunnel_domain: 'localhost',
        ended_sessions: [],
        ports: routes.flatMap(route => route.port ?? []),
      }),
      resolve(key) {
        const route = routes.find(({ host, port }) =>
          key.kind === 'host' ? host === key.host : port === key.port,
        )
        return route === undefined
          ? { allow: false, code: 'unknown_name', max_age_ms: 60_000 }
          : { allow: true, route, max_age_ms: 60_000 }
      },
      device_key({ device }) {
        const publicKey = keys[device]
        return publicKey === undefined ? null : { public_key: publicKey }
      },
      session_opened({ device }) {
        openedAt.push(Date.now())
        present.add(device)
      },
      session_closed: ({ device }) => void present.delete(device),
      usage: () => undefined,
    },
    fault => {
      throw fault.cause
    },
  )
  const relay = createRelay({
    host: '127.0.0.1',
    port,
    ...(tls !== null && { tls }),
    consoleUrl: 'http://localhost',
    tunnelDomain: 'localhost',
    allowIpLiteralConsole: false,
    serverAddress: { host: '127.0.0.1', port: 9 },
    trustedProxies: [],
    relayId: 'relay-1',
    version: '0.1.0',
    limits,
    logger: createLogger({ level, name: 'relay' }),
    connectControl: async () => createPortChannel(port2),
  })
  await relay.start()
  const measure = watchMemory()
  process.on('message', question => {
    const report: RelayReport = {
      ...measure(question as ReportQuestion),
      openedAt,
      present: present.size,
    }
    process.send?.(report)
  })
  process.send?.({ port: relay.address().port })
}

// Whoever started it is gone: nothing is left behind.
process.once('disconnect', () => process.exit())
process.once('message', orders => void runRelay(orders as RelayOrders))
