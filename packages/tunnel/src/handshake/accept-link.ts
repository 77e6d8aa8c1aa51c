import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Clock, systemClock } from '../clock.ts'
import { TunnelError, toTunnelError } from '../errors.ts'
import { closeLingering } from '../linger.ts'
import { createWebsocketStream } from '../websocket/websocket-stream.ts'
import type { YamuxConfig } from '../yamux/config.ts'
import { Muxer } from '../yamux/muxer.ts'
import type { UnreadBudget } from '../yamux/unread-budget.ts'
import {
  encodeAnswer,
  encodeChallenge,
  type LinkHello,
  PROTOCOL_VERSION,
  parseHello,
} from './messages.ts'
import { createNonce, isProofValid } from './proof.ts'
import { encodeUpgradeAnswer } from './upgrade.ts'
import { createHandshakeWire, type HandshakeWire } from './wire.ts'

/** The least a look-up of a device must answer; more is handed back with the link. */
export interface DeviceKey {
  /** As `exportPublicKey` writes it. */
  readonly publicKey: string
}

/** What the relay's side of a handshake needs. */
export interface AcceptLinkOptions<Found extends DeviceKey> {
  /** This relay's id, told to the agent. */
  readonly relayId: string
  /** The Host header of the request. The caller has checked that it is a name of its own. */
  readonly host: string
  /** Finds a paired device; null when there is none. It may throw a `TunnelError`, which is told to the agent. */
  readonly findDeviceKey: (device: string) => Promise<Found | null>
  /** Has the last word once the key is proved; a `TunnelError` it throws is told to the agent. */
  readonly admit?: (hello: LinkHello, found: Found) => void | Promise<void>
  /** Bytes read past the request's head; an agent sends none before its challenge. */
  readonly head?: Buffer
  /** The `Sec-WebSocket-Key` where the agent asked for a websocket instead. */
  readonly websocketKey?: string | undefined
  /** For the whole handshake; 10 s. */
  readonly timeoutMs?: number
  readonly config?: Partial<YamuxConfig>
  /** What all links of the relay may hold unread together. */
  readonly unreadBudget?: UnreadBudget
  readonly clock?: Clock
}

/** A link whose device has proved its key. */
export interface AcceptedLink<Found extends DeviceKey> {
  readonly muxer: Muxer
  readonly hello: LinkHello
  readonly found: Found
}

const TIMEOUT_MS = 10_000

/**
 * The relay's side: answers 101 on a socket whose upgrade request was parsed, challenges the agent, checks its proof.
 * Rejects with a `TunnelError` after it told the agent why and closed the socket. Before the proof it holds at most
 * one message of 16 KiB and one chunk.
 */
export async function acceptLink<Found extends DeviceKey>(
  raw: Duplex,
  options: AcceptLinkOptions<Found>,
): Promise<AcceptedLink<Found>> {
  const { timeoutMs = TIMEOUT_MS, clock = systemClock, websocketKey } = options
  ;(raw as Partial<Socket>).setNoDelay?.(true)
  raw.write(encodeUpgradeAnswer(websocketKey))
  const { socket, head } = openCarrier(raw, options.head ?? Buffer.alloc(0), websocketKey)
  const wire = createHandshakeWire(socket, { timeoutMs, head, clock })
  try {
    const { hello, found } = await checkAgent(wire, options)
    const { config, unreadBudget } = options
    const heartbeatMs = config?.pingIntervalMs ?? 10_000
    wire.writeMessage(encodeAnswer({ ok: true, heartbeatMs }))
    const rest = wire.release()
    const muxer = new Muxer({ socket, role: 'server', config, clock, head: rest, unreadBudget })
    return { muxer, hello, found }
  } catch (cause) {
    const error = toTunnelError(cause)
    refuse(socket, wire, clock, error)
    throw error
  }
}

function openCarrier(raw: Duplex, head: Buffer, websocketKey: string | undefined) {
  if (websocketKey === undefined) return { socket: raw, head }
  return { socket: createWebsocketStream(raw, { role: 'server', head }), head: Buffer.alloc(0) }
}

async function checkAgent<Found extends DeviceKey>(
  wire: HandshakeWire,
  options: AcceptLinkOptions<Found>,
): Promise<{ hello: LinkHello; found: Found }> {
  const nonce = createNonce()
  wire.writeMessage(encodeChallenge({ version: PROTOCOL_VERSION, nonce, relay: options.relayId }))
  const hello = parseHello(await wire.readMessage())
  if (hello.version !== PROTOCOL_VERSION) {
    throw new TunnelError('version_unsupported', {
      detail: `this relay speaks ${PROTOCOL_VERSION}`,
    })
  }
  const found = await wire.guard(options.findDeviceKey(hello.device))
  if (found === null) throw new TunnelError('device_unknown')
  const claim = { ...hello, nonce, host: options.host }
  if (!isProofValid(found.publicKey, claim, hello.signature)) throw new TunnelError('proof_invalid')
  await wire.guard(Promise.resolve(options.admit?.(hello, found)))
  return { hello, found }
}

function refuse(socket: Duplex, wire: HandshakeWire, clock: Clock, error: TunnelError): void {
  const { code, retry } = error
  // A fault of ours is no business of somebody who may not have proved anything.
  const detail = code === 'internal' ? '' : error.detail
  if (socket.writable) wire.writeMessage(encodeAnswer({ ok: false, code, retry, detail }))
  wire.release()
  closeLingering(socket, clock)
}
