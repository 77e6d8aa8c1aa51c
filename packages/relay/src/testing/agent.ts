import { generateKeyPairSync } from 'node:crypto'
import { connect } from 'node:net'
import {
  acceptFlow,
  dialLink,
  exportPublicKey,
  type Muxer,
  openControl,
  type RelayMessage,
  type TunnelErrorCode,
  type YamuxStream,
} from '@homeport/tunnel'

/** A device with its key, as pairing makes one. */
export function createTestDevice(uid: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return { uid, privateKey, publicKey: exportPublicKey(publicKey) }
}

/** A device of a test. */
export type TestDevice = ReturnType<typeof createTestDevice>

/** A link of a test's agent: dials whatever target it is told, unless it is told to refuse. */
export interface TestLink {
  readonly muxer: Muxer
  /** What the relay said on the control stream, in order. */
  readonly told: RelayMessage[]
  /** Targets of the flows so far. */
  readonly targets: string[]
}

/** How a test's agent misbehaves. */
export interface TestAgentOptions {
  readonly session?: string
  /** Links over TLS and trusts this certificate alone. */
  readonly ca?: Buffer
  /** Answers every flow with this code. */
  readonly refuse?: TunnelErrorCode
  /** Never answers a flow. */
  readonly mute?: boolean
  /** Never answers a flow to this target. */
  readonly hang?: string
  /** The flows of all links of an agent that lets them move; without it none moves. */
  readonly moves?: Map<string, YamuxStream>
}

/** Links a device with a relay; rejects as `dialLink`. */
export async function linkAgent(
  port: number,
  device: TestDevice,
  options: TestAgentOptions = {},
): Promise<TestLink> {
  const { muxer } = await dialLink({
    server: new URL(`${options.ca === undefined ? 'http' : 'https'}://localhost:${port}`),
    ...(options.ca !== undefined && { tls: { ca: options.ca } }),
    key: device.privateKey,
    device: device.uid,
    session: options.session ?? 'session-1',
    info: { agentVersion: '1.2.3', model: 'test', lanIp: '192.168.1.9' },
  })
  const told: RelayMessage[] = []
  const targets: string[] = []
  muxer.acceptStreams(stream => {
    if (!options.mute) void serveFlow(stream, targets, options)
  })
  openControl(muxer, message => told.push(message))
  return { muxer, told, targets }
}

async function serveFlow(stream: YamuxStream, targets: string[], options: TestAgentOptions) {
  const flow = await acceptFlow(stream)
  if (flow.head.isMove) {
    if (options.moves === undefined) return flow.refuse('flow_cancelled')
    flow.accept()
    options.moves.get(flow.head.flow)?.continueOn(stream)
    return
  }
  options.moves?.set(flow.head.flow, stream)
  targets.push(flow.head.target)
  if (options.refuse !== undefined) return flow.refuse(options.refuse)
  if (options.hang === flow.head.target) return
  if (!/^(tcp|https?):/.test(flow.head.target)) return flow.refuse('target_invalid')
  const { hostname, port } = new URL(flow.head.target)
  const socket = connect({ host: hostname, port: Number(port || 80), allowHalfOpen: true })
  socket.once('error', () => flow.refuse('target_refused'))
  socket.once('connect', () => {
    socket.removeAllListeners('error')
    const both = flow.accept()
    for (const [from, to] of [
      [socket, both],
      [both, socket],
    ] as const) {
      from.on('data', (chunk: Buffer) => to.write(chunk))
      from.on('end', () => to.end())
      from.on('close', () => to.destroy())
      from.on('error', () => to.destroy())
    }
  })
}
