import { deepStrictEqual, ok } from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { Duplex } from 'node:stream'
import { acceptControl } from '../../packages/tunnel/src/control/channel.ts'
import { encodeAgentMessage } from '../../packages/tunnel/src/control/messages.ts'
import { TunnelError } from '../../packages/tunnel/src/errors.ts'
import { acceptFlow } from '../../packages/tunnel/src/flow/accept-flow.ts'
import { encodeFlowHead } from '../../packages/tunnel/src/flow/head.ts'
import { acceptLink } from '../../packages/tunnel/src/handshake/accept-link.ts'
import {
  encodeHello,
  type LinkHello,
  parseChallenge,
  parseHello,
} from '../../packages/tunnel/src/handshake/messages.ts'
import { exportPublicKey, signProof } from '../../packages/tunnel/src/handshake/proof.ts'
import { Decoder } from '../../packages/tunnel/src/yamux/decode.ts'
import { Muxer } from '../../packages/tunnel/src/yamux/muxer.ts'
import type { YamuxStream } from '../../packages/tunnel/src/yamux/stream.ts'
import { createManualClock, wireFrame } from '../../packages/tunnel/src/yamux/test-wire.ts'
import { below, mutate, noise, pick, type Random, split } from './bytes.ts'
import { frameWords, makeFrames } from './frame-bytes.ts'
import type { FuzzTarget } from './run.ts'

/** A connection without a network: keeps what was written, hands over bytes at once. */
class Wire extends Duplex {
  readonly written: Buffer[] = []
  override _read(): void {}
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.written.push(Buffer.from(chunk))
    done()
  }
}

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve))
}

/** What a peer may cause; `internal` is missing, because that is a fault of ours. */
const peerFaults = new Set(['protocol_error', 'flood', 'link_lost'])
const unreadLimitBytes = 300 * 1024
const config = { inboundStreamLimit: 12, backlogLimit: 4, unreadLimitBytes, idleFrameBurst: 40 }

/** Everything we wrote is frames that our own decoder takes. */
function checkFrames(written: readonly Buffer[]): void {
  const decoder = new Decoder({ onFrame: () => undefined, onPayload: () => undefined })
  decoder.push(Buffer.concat(written))
}

interface MuxerEnd {
  code: string | null
  streams: number
}

/** How the owner of a link treats the peer's streams; each is something that agent or relay do. */
const treatments: readonly ((stream: YamuxStream) => void)[] = [
  () => undefined,
  stream => stream.resume(),
  stream => stream.destroy(),
  stream => stream.end('bye'),
  stream => void stream.pipe(stream),
  stream => {
    acceptFlow(stream, { clock: createManualClock() }).then(
      flow => flow.accept().resume(),
      error => ok(error instanceof TunnelError && error.code !== 'internal', String(error)),
    )
  },
]

async function runMuxer(
  pieces: readonly Buffer[],
  treat: ((stream: YamuxStream) => void) | null,
): Promise<MuxerEnd> {
  const wire = new Wire({ allowHalfOpen: true })
  const muxer = new Muxer({ socket: wire, role: 'server', config, clock: createManualClock() })
  let code: string | null = null
  void muxer.closed.then(reason => {
    code = reason.code
  })
  if (treat !== null) muxer.acceptStreams(treat)
  for (const piece of pieces) {
    wire.emit('data', piece)
    ok(muxer.streamCount <= config.inboundStreamLimit)
  }
  // Nothing was read meanwhile, so what is open depends on the bytes alone.
  const streams = muxer.streamCount
  await turns(3)
  const ended = code
  if (ended !== null) ok(peerFaults.has(ended), `the link ended with ${ended}`)
  muxer.close()
  await turns(1)
  ok(muxer.streamCount === 0)
  checkFrames(wire.written)
  wire.destroy()
  return { code: ended, streams }
}

const muxerTarget: FuzzTarget = {
  name: 'yamux-muxer',
  make: makeMuxerInput,
  async check(input, random) {
    const treat = pick(random, [null, ...treatments])
    const whole = await runMuxer([input], treat)
    // What a stream answers may be read between pieces; a treatment that does nothing must end alike however it was cut.
    const pieces = split(input, random)
    const cut = await runMuxer(pieces, treat)
    if (treat === null || treat === treatments[0]) deepStrictEqual(cut, whole)
    return whole.code === null ? 'accepted' : 'refused'
  },
}

/** Frames, or a flow's head in frames of its stream. */
function makeMuxerInput(random: Random): Buffer {
  if (random() < 0.7) return makeFrames(random)
  const head = encodeFlowHead({ record: 7, target: 'http://10.0.0.2:80', flow: 'f' })
  const payload = mutate(head, random, frameWords, 2).subarray(0, 30_000)
  return Buffer.concat([
    wireFrame([0, 1, 1], payload),
    wireFrame([0, pick(random, [0, 4]), 1], 'GET / HTTP/1.1\r\n\r\n'),
    makeFrames(random, 3),
  ])
}

const controlTarget: FuzzTarget = {
  name: 'control-stream',
  make(random) {
    const bytes = encodeAgentMessage({ type: 'facts', agentVersion: '1', model: 'm', lanIp: 'l' })
    const prefix = Buffer.alloc(4)
    prefix.writeUInt32BE(random() < 0.9 ? bytes.length : below(random, 20_000))
    const message = Buffer.concat([prefix, bytes])
    return mutate(Buffer.concat([message, message]), random, frameWords, 2)
  },
  async check(input, random) {
    const read = async (pieces: readonly Buffer[]) => {
      const wire = new Wire({ allowHalfOpen: true })
      const muxer = new Muxer({ socket: wire, role: 'server', clock: createManualClock() })
      const messages: unknown[] = []
      let code: string | null = null
      void muxer.closed.then(reason => {
        code = reason.code
      })
      acceptControl(muxer, message => messages.push(message))
      wire.emit('data', wireFrame([1, 1, 1, 0]))
      for (const piece of pieces) wire.emit('data', wireFrame([0, 0, 1], piece))
      await turns(2)
      const ended = code
      ok(ended === null || ended === 'protocol_error', `the link ended with ${ended}`)
      muxer.close()
      await turns(1)
      return { messages, code: ended }
    }
    const whole = await read([input])
    deepStrictEqual(await read(split(input, random)), whole)
    return whole.code === null ? 'accepted' : 'refused'
  },
}

const { privateKey, publicKey } = generateKeyPairSync('ed25519')
const known = { publicKey: exportPublicKey(publicKey) }
const host = 'relay.example'
const handshakeFaults = new Set([
  ...['handshake_invalid', 'handshake_timeout', 'version_unsupported', 'device_unknown'],
  ...['proof_invalid', 'link_lost'],
])

/** The relay's side of a handshake against an agent that knows the device's key, or not, and changes its own bytes. */
const handshakeTarget: FuzzTarget = {
  name: 'handshake',
  make: random => noise(random, 8),
  async check(_input, random) {
    const wire = new Wire({ allowHalfOpen: true })
    wire.on('error', () => undefined)
    const clock = createManualClock()
    const accepted = acceptLink(wire, {
      relayId: 'r',
      host,
      clock,
      findDeviceKey: async device => (device === 'd' ? known : null),
    }).then(
      link => link,
      error => {
        ok(error instanceof TunnelError && handshakeFaults.has(error.code), String(error))
        return null
      },
    )
    const challenge = Buffer.concat(wire.written).toString('latin1').split('\r\n\r\n')[1] ?? ''
    const { nonce } = parseChallenge(Buffer.from(challenge.slice(4), 'latin1'))
    const claim = { nonce, host, device: 'd', agentVersion: '1', session: 's' }
    const key = random() < 0.9 ? privateKey : generateKeyPairSync('ed25519').privateKey
    const hello = {
      ...{ version: 1, device: 'd', agentVersion: '1', session: 's', model: 'm', lanIp: undefined },
      signature:
        random() < 0.9
          ? signProof(key, claim)
          : sign(null, noise(random, 9), key).toString('base64url'),
    }
    const message = mutate(encodeHello(hello), random, frameWords, 2)
    const prefix = Buffer.alloc(4)
    prefix.writeUInt32BE(random() < 0.95 ? message.length : below(random, 2 ** 32))
    const bytes = Buffer.concat([prefix, message, makeFrames(random)])
    for (const piece of random() < 0.5 ? [bytes] : split(bytes, random)) wire.push(piece)
    if (random() < 0.5) wire.push(null)
    await turns(4)
    clock.advance(11_000)
    const link = await accepted
    if (link !== null) checkAdmitted(link.hello, hello, key === privateKey)
    link?.muxer.close()
    clock.advance(11_000)
    await turns(1)
    wire.destroy()
    return link === null ? 'refused' : 'accepted'
  },
}

/** Only whoever holds the key gets in, and only with what it signed. */
function checkAdmitted(taken: LinkHello, sent: LinkHello, isOwnKey: boolean): void {
  ok(isOwnKey, 'a link without the key of the device')
  const signed = ({ version, device, session, agentVersion }: LinkHello) => [
    version,
    device,
    session,
    agentVersion,
  ]
  deepStrictEqual(signed(taken), signed(sent))
  // The same bytes again, however their base64url was spelt.
  deepStrictEqual(
    Buffer.from(taken.signature, 'base64url'),
    Buffer.from(sent.signature, 'base64url'),
  )
  deepStrictEqual(parseHello(encodeHello(taken)), taken)
}

/** Links as a whole: streams, control messages and the handshake before them. */
export const muxerTargets: readonly FuzzTarget[] = [muxerTarget, controlTarget, handshakeTarget]
