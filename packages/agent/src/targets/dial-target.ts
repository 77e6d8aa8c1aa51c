import { lookup } from 'node:dns/promises'
import net from 'node:net'
import tls from 'node:tls'
import { parseTarget } from '@homeport/contract'
import { TunnelError, type TunnelErrorCode } from '@homeport/tunnel'
import type { AllowList } from './allow-list.ts'
import { type Chunks, createDirectChunks, createStreamChunks } from './chunks.ts'

/** What to dial: a canonical target and, for https, how to check its certificate. */
export interface TargetRequest {
  target: string
  tls?: { verify: boolean; serverName: string }
}

/** How a target is dialled; `lookup` is the operating system's resolver unless a test brings its own. */
export interface DialOptions {
  allowList: AllowList
  /** For name, connection and TLS together, ms. */
  timeoutMs: number
  /** Ends the attempt when the visitor is gone. */
  signal: AbortSignal
  lookup?: (host: string) => Promise<string[]>
}

/** A target that was reached. */
export interface Target {
  readonly socket: net.Socket
  /** What it sends; the socket's own `data` says nothing. */
  readonly chunks: Chunks
}

// A name may have many addresses; three tries fit the time a visitor waits.
const maxAddresses = 3

const resolveAll = async (host: string) =>
  (await lookup(host, { all: true })).map(entry => entry.address)

/**
 * Connects to a target. The name is resolved once, every address is checked against the allow-list, and an address
 * that was checked is the address that is dialled: a name that answers differently the second time gains nothing.
 * Throws TunnelError.
 */
export async function dialTarget(request: TargetRequest, options: DialOptions): Promise<Target> {
  const target = parseTarget(request.target)
  if (!target.ok) throw new TunnelError('target_invalid', { detail: target.code })
  const deadline = AbortSignal.any([options.signal, AbortSignal.timeout(options.timeoutMs)])
  const addresses = await abortable(resolveAllowed(target.host, options), deadline)
  // Made only where a dial failed: taking a picture of the stack is a noticeable part of a new connection's cost.
  let failure: TunnelError | undefined
  for (const address of addresses.slice(0, maxAddresses)) {
    try {
      const place = { host: address, port: target.port }
      if (target.scheme !== 'https') return await connectPlain(place, deadline)
      const socket = await connect(place, deadline)
      const name = request.tls?.serverName || (net.isIP(target.host) === 0 ? target.host : '')
      return await secure(socket, name, request.tls?.verify ?? false, deadline)
    } catch (error) {
      failure = error instanceof TunnelError ? error : describeFailure(error, 'target_unreachable')
      if (failure.code === 'target_tls_failed' || deadline.aborted) break
    }
  }
  throw failure ?? new TunnelError('target_unreachable')
}

async function resolveAllowed(host: string, options: DialOptions): Promise<string[]> {
  const addresses = net.isIP(host) === 0 ? await resolveName(host, options) : [host]
  const allowed = addresses.filter(address => options.allowList.allows(address))
  if (allowed.length === 0)
    throw new TunnelError('target_not_allowed', { detail: addresses.join(', ') })
  return allowed
}

async function resolveName(host: string, options: DialOptions): Promise<string[]> {
  try {
    return await (options.lookup ?? resolveAll)(host)
  } catch (cause) {
    throw new TunnelError('target_dns_failed', { detail: host, cause })
  }
}

function connect(
  place: { host: string; port: number; onread?: net.OnReadOpts },
  signal: AbortSignal,
): Promise<net.Socket> {
  return settle(net.connect({ ...place, noDelay: true, allowHalfOpen: true }), 'connect', signal)
}

async function connectPlain(
  place: { host: string; port: number },
  signal: AbortSignal,
): Promise<Target> {
  const chunks = createDirectChunks()
  const socket = await connect({ ...place, onread: chunks.options }, signal)
  return { socket, chunks: chunks.of(socket) }
}

async function secure(
  socket: net.Socket,
  serverName: string,
  verify: boolean,
  signal: AbortSignal,
): Promise<Target> {
  const secured = tls.connect({
    socket,
    rejectUnauthorized: verify,
    ALPNProtocols: ['http/1.1'],
    ...(serverName === '' ? {} : { servername: serverName }),
  })
  try {
    await settle(secured, 'secureConnect', signal)
    return { socket: secured, chunks: createStreamChunks(secured) }
  } catch (error) {
    if (signal.aborted) throw error
    throw describeFailure(error, 'target_tls_failed')
  }
}

function settle<S extends net.Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const finish = (error?: Error) => {
      socket.off(event, succeed).off('error', finish).off('close', closed)
      signal.removeEventListener('abort', aborted)
      if (error === undefined) return resolve(socket)
      // A destroyed socket may still report; nobody listens to it any more.
      socket.on('error', () => {}).destroy()
      reject(error)
    }
    const succeed = () => finish()
    const closed = () => finish(new TunnelError('target_refused', { detail: 'closed at once' }))
    const aborted = () => finish(describeAbort(signal))
    socket.on(event, succeed).on('error', finish).on('close', closed)
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
  })
}

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () => reject(describeAbort(signal))
    signal.addEventListener('abort', aborted, { once: true })
    if (signal.aborted) aborted()
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', aborted))
  })
}

const describeAbort = (signal: AbortSignal) =>
  new TunnelError(signal.reason?.name === 'TimeoutError' ? 'target_timeout' : 'flow_cancelled')

const codes: Record<string, TunnelErrorCode> = {
  ECONNREFUSED: 'target_refused',
  ECONNRESET: 'target_refused',
  EHOSTUNREACH: 'target_unreachable',
  ENETUNREACH: 'target_unreachable',
  ETIMEDOUT: 'target_timeout',
}

function describeFailure(error: unknown, fallback: TunnelErrorCode): TunnelError {
  const cause = error as NodeJS.ErrnoException
  const code = fallback === 'target_tls_failed' ? fallback : (codes[cause.code ?? ''] ?? fallback)
  return new TunnelError(code, { detail: cause.code ?? cause.message, cause })
}
