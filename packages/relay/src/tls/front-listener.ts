import { once } from 'node:events'
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Logger } from '@homeport/runtime'
import { groupAddress } from '../routing/address-group.ts'
import { type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts'

/** What the front door's listener is made of. */
export interface FrontListenerParts {
  readonly tls: CertificateFiles | undefined
  /** Connections at once, before any of them said a word. */
  readonly connectionLimit: number
  /** TLS handshakes of one address (IPv6: of one /64) at a time; about 20 KiB each, before the door can count them. */
  readonly handshakesPerAddress: number
  /** Proxies of the operator: their handshakes are those of many visitors and not counted. */
  isTrusted(address: string): boolean
  readonly logger: Logger
  accept(socket: Socket): void
}

/** The one listener of visitors and agents. */
export interface FrontListener {
  /** Resolves when it listens; rejects where it cannot. */
  listen(host: string, port: number): Promise<void>
  /** Where it listens. */
  address(): { readonly host: string; readonly port: number }
  /** Takes no more connections. */
  stop(): void
  /** Cuts what is still connected. */
  destroy(): void
}

const handshakeTimeoutMs = 10_000

/**
 * Makes the listener: HTTPS where a certificate is configured (read anew when its files change or on SIGHUP), plain
 * HTTP elsewhere. Throws where the certificate cannot be used.
 */
export function createFrontListener(parts: FrontListenerParts): FrontListener {
  const { tls, logger } = parts
  const sockets = new Set<Socket>()
  const shaking = new Map<string, Set<string>>()
  let stopWatching = () => {}

  // TLS hands over another socket than the one that connected; address and port tell that they are one connection.
  const placeOf = ({ remoteAddress = '', remotePort = 0 }: Socket) => ({
    group: groupAddress(remoteAddress),
    id: `${remoteAddress} ${remotePort}`,
  })

  function endHandshake({ group, id }: ReturnType<typeof placeOf>): void {
    const ids = shaking.get(group)
    if (ids?.delete(id) && ids.size === 0) shaking.delete(group)
  }

  // Who connects and leaves at once is noticed by the time-out alone (Node reports no end before a handshake with
  // `allowHalfOpen`), so without a bound one address could fill the listener and hold no socket itself.
  function beginHandshake(socket: Socket): void {
    if (parts.isTrusted(socket.remoteAddress ?? '')) return
    const place = placeOf(socket)
    const ids = shaking.get(place.group) ?? new Set()
    if (ids.size >= parts.handshakesPerAddress) {
      socket.destroy()
      return
    }
    shaking.set(place.group, ids.add(place.id))
    socket.once('close', () => endHandshake(place))
  }

  function acceptSecure(socket: Socket): void {
    endHandshake(placeOf(socket))
    parts.accept(socket)
  }

  function watch(server: TlsServer, files: CertificateFiles): void {
    const watching = watchCertificate(files, {
      logger,
      onChange: pair => server.setSecureContext(pair),
    })
    process.on('SIGHUP', watching.reload)
    stopWatching = () => {
      process.off('SIGHUP', watching.reload)
      watching.stop()
    }
  }

  function createServer(): Server {
    if (tls === undefined) return createNetServer({ allowHalfOpen: true }, parts.accept)
    const server = createTlsServer(
      {
        ...readCertificate(tls),
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        handshakeTimeout: handshakeTimeoutMs,
        allowHalfOpen: true,
      },
      acceptSecure,
    )
    server.on('connection', beginHandshake)
    server.on('tlsClientError', (cause, socket) => {
      logger.debug({ err: cause }, 'TLS handshake failed')
      socket.destroy()
    })
    server.once('listening', () => watch(server, tls))
    return server
  }

  const server = createServer()
  server.maxConnections = parts.connectionLimit
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    async listen(host, port) {
      server.listen({ host, port })
      await once(server, 'listening')
    },
    address() {
      const { address, port } = server.address() as AddressInfo
      return { host: address, port }
    },
    stop() {
      stopWatching()
      server.close()
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
