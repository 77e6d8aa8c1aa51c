import { once } from 'node:events'
import { isIPv6, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { TunnelError } from '../errors.ts'
import { addressOf, connectServer, type LinkTlsOptions, secureOptionsOf } from './connect-server.ts'
import { createHandshakeWire } from './wire.ts'

/** How a server is reached through a proxy. */
export interface ProxyOptions {
  /** `http:` or `https:`, with user and password where it wants them. */
  readonly proxy: URL
  readonly tls?: LinkTlsOptions | undefined
  readonly signal?: AbortSignal | undefined
  /** For connecting, the proxy's answer, and again for TLS to the server; 15 s. */
  readonly timeoutMs?: number
}

const TIMEOUT_MS = 15_000
const ANSWER_LIMIT_BYTES = 8 * 1024

/**
 * A connection to the server through an HTTP proxy (CONNECT, RFC 9110 section 9.3.6), encrypted for an `https:` one: the
 * proxy sees its name and port. It is handed over paused. Rejects with TunnelError `link_unreachable` where the proxy does not let it through,
 * `link_tls_failed` where the server's certificate is refused.
 */
export async function connectThroughProxy(server: URL, options: ProxyOptions): Promise<Socket> {
  const { proxy, signal, timeoutMs = TIMEOUT_MS } = options
  const socket = connectServer(proxy, undefined)
  try {
    await askProxy(socket, server, options)
    if (server.protocol === 'http:') return socket
    const secure = connectTls({ ...secureOptionsOf(server, options.tls), socket })
    secure.on('close', () => socket.destroy())
    const bound = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])
    await once(secure, 'secureConnect', { signal: bound }).catch(cause => {
      secure.destroy()
      throw new TunnelError('link_tls_failed', { detail: cause.code ?? cause.message, cause })
    })
    return secure
  } catch (cause) {
    socket.on('error', () => socket.destroy())
    socket.destroy()
    throw cause
  }
}

async function askProxy(socket: Socket, server: URL, options: ProxyOptions): Promise<void> {
  const { proxy, signal, timeoutMs = TIMEOUT_MS } = options
  const explain = (cause: NodeJS.ErrnoException) => refused(cause.code ?? cause.message, cause)
  const wire = createHandshakeWire(socket, { timeoutMs, signal, explain })
  const { host, port } = addressOf(server)
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`
  const lines = [`CONNECT ${authority} HTTP/1.1`, `Host: ${authority}`]
  if (proxy.username !== '') {
    const user = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
    lines.push(`Proxy-Authorization: Basic ${Buffer.from(user).toString('base64')}`)
  }
  let rest: Buffer
  try {
    socket.write(`${lines.join('\r\n')}\r\n\r\n`)
    const head = await wire.readUntil('\r\n\r\n', ANSWER_LIMIT_BYTES)
    const status = /^HTTP\/1\.[01] (\d{3})[ \r]/.exec(head.toString('latin1'))?.[1]
    if (status?.startsWith('2') !== true) throw refused(`HTTP ${status ?? '?'}`)
  } finally {
    rest = wire.release()
  }
  // The server says nothing before it is asked: these bytes would be the proxy's own.
  if (rest.length > 0) throw refused('bytes behind its answer')
}

function refused(detail: string, cause?: unknown): TunnelError {
  return new TunnelError('link_unreachable', { detail: `proxy: ${detail}`, cause })
}
