import { MessageChannel } from 'node:worker_threads'
import {
  createPortChannel,
  createRelayPeer,
  type DeviceSession,
  type RelayPeer,
  type Route,
  type RouteKey,
} from '@homeport/contract/control'
import type { ProbeAnswer, RelayHub } from './hub.ts'

/** What the server told a relay, in order. */
export type Told =
  | { method: 'routes_changed'; keys: RouteKey[] }
  | { method: 'device_revoked'; device: string; code: 'deleted' | 'paused' }
  | { method: 'console_session_ended'; session: string }

/** The relay's end of a real control link, played by a test. */
export interface TestRelay {
  peer: RelayPeer
  told: Told[]
  probed: Route[]
  /** Resolves when the server has told this many things. */
  hasHeard(count: number): Promise<void>
  hello(...sessions: DeviceSession[]): ReturnType<typeof sayHello>
}

const sayHello = (peer: RelayPeer, sessions: DeviceSession[]) =>
  peer.request('hello', { relay: 'test', version: '0.0.0', sessions })

/** Attaches a relay to a hub by a message channel; `answerProbe` stands in for its way to the homes. */
export function attachTestRelay(
  hub: Pick<RelayHub, 'attach'>,
  answerProbe: (route: Route) => NonNullable<ProbeAnswer> = () => [],
): TestRelay {
  const { port1, port2 } = new MessageChannel()
  const told: Told[] = []
  const probed: Route[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  const hear = (what: Told) => {
    told.push(what)
    for (const { count, resolve } of waiting) if (told.length >= count) resolve()
  }
  const peer = createRelayPeer(
    createPortChannel(port1),
    {
      probe: route => {
        probed.push(route)
        return answerProbe(route)
      },
      routes_changed: keys => hear({ method: 'routes_changed', keys }),
      device_revoked: revoked => hear({ method: 'device_revoked', ...revoked }),
      console_session_ended: ended => hear({ method: 'console_session_ended', ...ended }),
    },
    ({ cause }) => {
      throw cause
    },
  )
  hub.attach(createPortChannel(port2))
  return {
    peer,
    told,
    probed,
    hasHeard: count =>
      new Promise(resolve => {
        if (told.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    hello: (...sessions) => sayHello(peer, sessions),
  }
}

/** A session of a device. */
export const sessionOf = (device: string, changes: Partial<DeviceSession> = {}): DeviceSession => ({
  device,
  session: 's1',
  agent_version: '1.2.3',
  model: 'box',
  public_ip: '203.0.113.9',
  lan_ip: '192.168.1.9',
  connected_at: 1,
  ...changes,
})
