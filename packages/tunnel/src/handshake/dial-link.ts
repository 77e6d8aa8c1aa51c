import { type KeyObject, randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Clock } from '../clock.ts'
import { TunnelError, toTunnelError } from '../errors.ts'
import { createWebsocketStream } from '../websocket/websocket-stream.ts'
import type { YamuxConfig } from '../yamux/config.ts'
import { Muxer } from '../yamux/muxer.ts'
import type { UnreadBudget } from '../yamux/unread-budget.ts'
import { connectServer, type LinkTlsOptions } from './connect-server.ts'
import { encodeHello, PROTOCOL_VERSION, parseAnswer, parseChallenge } from './messages.ts'
import { signProof } from './proof.ts'
import { checkUpgradeAnswer, encodeUpgradeRequest } from './upgrade.ts'
import { createHandshakeWire } from './wire.ts'

/** Facts an agent tells about itself when it links. */
export interface AgentInfo {
  readonly agentVersion: string
  readonly model: string
  readonly lanIp?: string | undefined
}

/** What the agent's side of a handshake needs. */
export interface DialLinkOptions {
  /** `https:` or `http:`; only host and port are used. */
  readonly server: URL
  /** The device's Ed25519 private key. */
  readonly key: KeyObject
  readonly device: string
  /** The id of this agent process; several links may belong to one session. */
  readonly session: string
  readonly info: AgentInfo
  readonly tls?: LinkTlsOptions | undefined
  readonly signal?: AbortSignal
  /** For connecting and the whole handshake; 15 s. */
  readonly timeoutMs?: number
  /** Reaches the server another way (a proxy); it hands back a connected, if asked encrypted, socket. */
  readonly connect?: (server: URL, signal: AbortSignal | undefined) => Promise<Duplex>
  readonly config?: Partial<YamuxConfig>
  /** What all links of the agent may hold unread together. */
  readonly unreadBudget?: UnreadBudget
  readonly clock?: Clock
}

/** A link that the relay has accepted. */
export interface DialledLink {
  readonly muxer: Muxer
  /** The relay's id. */
  readonly relay: string
  /** How often the relay wants to hear something. */
  readonly heartbeatMs: number
}

const TIMEOUT_MS = 15_000
/** Largest head of an answer that is read. */
const ANSWER_LIMIT_BYTES = 8 * 1024

/** How far one attempt came. */
interface Attempt {
  readonly websocketKey?: string
  /** A whole head came back, which may be a balancer's and not the relay's. */
  isAnswered: boolean
  isUpgraded: boolean
}

/**
 * The agent's side: connects, upgrades, proves its key. Where the upgrade is answered by something else it asks once
 * more for a websocket, which balancers pass that pass nothing else. Rejects with a `TunnelError` that says when to
 * try again.
 */
export async function dialLink(options: DialLinkOptions): Promise<DialledLink> {
  const first: Attempt = { isAnswered: false, isUpgraded: false }
  try {
    return await dialOnce(options, first)
  } catch (cause) {
    if (!first.isAnswered || first.isUpgraded || isBusy(toTunnelError(cause))) throw cause
    const websocketKey = randomBytes(16).toString('base64')
    const second: Attempt = { websocketKey, isAnswered: false, isUpgraded: false }
    return await dialOnce(options, second).catch(later => {
      // Neither way leads there: what was said to the better one is what is wrong.
      throw second.isUpgraded ? later : cause
    })
  }
}

// Who says "not now" speaks for the relay: a second try would only double its load.
const isBusy = ({ retryAfterMs, httpStatus }: TunnelError): boolean =>
  retryAfterMs !== undefined || httpStatus === 429 || httpStatus === 503

async function dialOnce(options: DialLinkOptions, attempt: Attempt): Promise<DialledLink> {
  const { server, timeoutMs = TIMEOUT_MS, signal, clock } = options
  let socket: Duplex = options.connect
    ? await options.connect(server, signal)
    : connectServer(server, options.tls)
  const limits = { timeoutMs, signal, clock, explain: explainFailure }
  let wire = createHandshakeWire(socket, limits)
  try {
    ;(socket as Partial<Socket>).setNoDelay?.(true)
    socket.write(encodeUpgradeRequest(server.host, attempt.websocketKey))
    const answerHead = await wire.readUntil('\r\n\r\n', ANSWER_LIMIT_BYTES)
    attempt.isAnswered = true
    checkUpgradeAnswer(answerHead, attempt.websocketKey)
    attempt.isUpgraded = true
    if (attempt.websocketKey !== undefined) {
      socket = createWebsocketStream(socket, { role: 'client', head: wire.release() })
      wire = createHandshakeWire(socket, limits)
    }
    const { version, nonce, relay } = parseChallenge(await wire.readMessage())
    if (version !== PROTOCOL_VERSION) {
      throw new TunnelError('version_unsupported', { detail: `the relay speaks ${version}` })
    }
    const { device, session, info, key } = options
    const { agentVersion, model, lanIp } = info
    const claim = { nonce, host: server.host, device, agentVersion, session }
    const signature = signProof(key, claim)
    wire.writeMessage(
      encodeHello({ version, device, session, agentVersion, model, lanIp, signature }),
    )
    const answer = parseAnswer(await wire.readMessage())
    if (!answer.ok) throw new TunnelError(answer.code, answer)
    const head = wire.release()
    const { config, unreadBudget } = options
    const muxer = new Muxer({ socket, role: 'client', config, clock, head, unreadBudget })
    return { muxer, relay, heartbeatMs: answer.heartbeatMs }
  } catch (cause) {
    wire.release()
    socket.on('error', () => socket.destroy())
    socket.destroy()
    throw toTunnelError(cause)
  }
}

// What failed before anything was said: no way there, or (no system call is named) a certificate nobody vouches for.
function explainFailure(cause: NodeJS.ErrnoException): TunnelError {
  const { syscall } = cause
  const detail = cause.code ?? cause.message
  if (syscall === undefined) return new TunnelError('link_tls_failed', { detail, cause })
  const isDialling = syscall === 'connect' || syscall === 'getaddrinfo'
  return new TunnelError(isDialling ? 'link_unreachable' : 'link_lost', { detail, cause })
}
