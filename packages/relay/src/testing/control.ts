import { MessageChannel } from 'node:worker_threads'
import {
  type ControlChannel,
  createPortChannel,
  createServerPeer,
  type DeviceSession,
  type Route,
  type RouteDecision,
  type RouteKey,
  type ServerPeer,
  type Usage,
} from '@homeport/contract/control'

/** A route of a test's record. */
export const routeTo = (target: string, changes: Partial<Route> = {}): Route => ({
  record: 7,
  device: 'nas',
  device_id: 1,
  owner: 1,
  kind: 'http',
  host: 'nas.localhost',
  port: null,
  target,
  access: ['public'],
  options: { host_header: 'target', tls_verify: false, tls_server_name: '' },
  ...changes,
})

/** The server's end of the control link, scripted: it answers from what a test put in. */
export function createTestServer(gateKey: Buffer) {
  const routes = new Map<string, RouteDecision>()
  const server = {
    gateKey,
    /** What the welcome says. */
    consoleUrl: 'http://localhost:8080',
    /** Device uid to public key. */
    keys: new Map<string, string>(),
    endedSessions: [] as string[],
    ports: [] as number[],
    /** What was resolved, in order. */
    asked: [] as RouteKey[],
    opened: [] as DeviceSession[],
    closed: [] as { device: string; session: string; reason: string }[],
    usage: [] as Usage[],
    hellos: [] as DeviceSession[][],
    /** False: the relay cannot connect. */
    isUp: true,
    /** True: the link stands, but no question about a route is answered. */
    isHanging: false,
    peer: null as ServerPeer | null,
    setRoute(route: Route, maxAgeMs = 60_000) {
      const key = route.kind === 'tcp' ? `:${route.port}` : route.host
      routes.set(key, { allow: true, route, max_age_ms: maxAgeMs })
    },
    deny(key: string, code: 'unknown_name' | 'record_disabled' | 'device_paused') {
      routes.set(key, { allow: false, code, max_age_ms: 60_000 })
    },
    async connect(): Promise<ControlChannel> {
      if (!server.isUp) throw new Error('the server is down')
      const { port1, port2 } = new MessageChannel()
      server.peer = createServerPeer(createPortChannel(port1), handlers, fault => {
        throw fault.cause
      })
      return createPortChannel(port2)
    },
    /** Breaks the link; the relay comes back when `isUp`. */
    async drop() {
      const { peer } = server
      server.isUp = false
      peer?.close()
      await peer?.closed
    },
  }
  const handlers: Parameters<typeof createServerPeer>[1] = {
    hello({ sessions }) {
      server.hellos.push(sessions)
      return {
        gate_key: gateKey.toString('base64url'),
        console_url: server.consoleUrl,
        tunnel_domain: 'localhost',
        now: Date.now(),
        ended_sessions: server.endedSessions,
        ports: server.ports,
      }
    },
    resolve(key) {
      server.asked.push(key)
      if (server.isHanging) return new Promise<RouteDecision>(() => undefined)
      const text = key.kind === 'host' ? key.host : `:${key.port}`
      return routes.get(text) ?? { allow: false, code: 'unknown_name', max_age_ms: 60_000 }
    },
    device_key({ device }) {
      const publicKey = server.keys.get(device)
      return publicKey === undefined ? null : { public_key: publicKey }
    },
    session_opened: session => server.opened.push(session),
    session_closed: closed => server.closed.push(closed),
    usage: batch => server.usage.push(...batch),
  }
  return server
}

/** A scripted server. */
export type TestServer = ReturnType<typeof createTestServer>
