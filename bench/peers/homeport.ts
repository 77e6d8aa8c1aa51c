import { join } from 'node:path'
import { loadIdentity, savePairing } from '@homeport/agent'
import { type Child, findFreePort, nextMessage, type Stage, untilListening } from '../stage.ts'
import type { Certificate, Contestants, Ground, Side } from '../way.ts'
import type { RelayTask } from './homeport-relay.ts'

interface Home {
  readonly relay: Child
  readonly port: number
  readonly sides: readonly Side[]
}

/** Starts a relay and the agent of its one device; resolves when they are linked. */
async function startHome(
  stage: Stage,
  name: string,
  tls: Certificate | null,
  records: Pick<RelayTask, 'hosts' | 'ports'>,
): Promise<Home> {
  const program = (file: string) => join(import.meta.dirname, file)
  const folder = join(stage.folder, name)
  const identity = await loadIdentity(folder)
  const task: RelayTask = { publicKey: identity.publicKey, tls, ...records }
  const relay = stage.startNode(program('homeport-relay.ts'), JSON.stringify(task))
  const { port } = (await nextMessage(relay)) as { port: number }
  const server = `${tls === null ? 'http' : 'https'}://localhost:${port}`
  await savePairing(folder, identity, { server, uid: 'bench' })
  const linked = nextMessage(relay)
  const trusted = tls === null ? [] : [tls.certFile]
  const agent = stage.startNode(program('homeport-agent.ts'), folder, server, ...trusted)
  await linked
  const sides: Side[] = [
    { name: 'relay', pid: relay.pid },
    { name: 'agent', pid: agent.pid },
  ]
  return { relay, port, sides }
}

/**
 * Our own ways, each with a relay and an agent of its own: the door in the clear (visitor and link), the door with TLS (visitor and
 * link), and a tcp record, whose visitors are in the clear and whose link is TLS, as it is in production.
 */
export async function startHomeport(stage: Stage, ground: Ground): Promise<Contestants> {
  const target = `127.0.0.1:${ground.targetPort}`
  const sink = `127.0.0.1:${ground.sinkPort}`
  const hosts = { 'nas.localhost': `http://${target}`, 'sink.localhost': `http://${sink}` }
  const [tcpDown, tcpUp] = [await findFreePort(), await findFreePort()]
  const ports = { [tcpDown]: `tcp://${target}`, [tcpUp]: `tcp://${sink}` }

  const plain = await startHome(stage, 'plain', null, { hosts, ports: {} })
  const secure = await startHome(stage, 'secure', ground.certificate, { hosts, ports: {} })
  const pool = await startHome(stage, 'pool', ground.certificate, { hosts: {}, ports })
  await untilListening(tcpDown, pool.relay)
  await untilListening(tcpUp, pool.relay)
  const door = (port: number, isTls: boolean) => ({
    down: { port, host: 'nas.localhost', isTls },
    up: { port, host: 'sink.localhost', isTls },
  })
  return {
    http: [
      {
        id: 'door',
        name: '**Homeport door**, visitor and link plain',
        ...door(plain.port, false),
        sides: plain.sides,
      },
      {
        id: 'door-tls',
        name: '**Homeport door**, https visitor, TLS link',
        ...door(secure.port, true),
        sides: secure.sides,
      },
    ],
    tcp: [
      {
        id: 'record',
        name: '**Homeport tcp record**, TLS link',
        down: { port: tcpDown, host: 'localhost', isTls: false },
        up: { port: tcpUp, host: 'localhost', isTls: false },
        sides: pool.sides,
      },
    ],
  }
}
