import { once } from 'node:events'
import { type AddressInfo, createServer as createNetServer, type Socket } from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
import type { Clock, Logger } from '@homeport/runtime'
import type { Arrivals } from '../arrival/arrivals.ts'
import type { ArrivalLimits } from '../arrival/limits.ts'
import { createWaitingPlaces } from '../arrival/waiting-places.ts'
import type { Source } from '../visitors/proxy-trust.ts'
import { type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts'

/** What the front door's listener is made of. */
export interface FrontListenerParts {
  readonly tls: CertificateFiles | undefined
  /** Connections at once, before any of them said a word. */
  readonly connectionLimit: number
  readonly limits: ArrivalLimits
  readonly arrivals: Arrivals
  readonly clock: Clock
  readonly logger: Logger
  accept(socket: Socket, source: Source): void
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

/** A connection in its handshake. */
interface Handshake {
  readonly source: Source
  leave(): void
}

/**
 * Makes the listener: HTTPS where a certificate is configured (read anew when its files change or on SIGHUP), plain
 * HTTP elsewhere. Throws where the certificate cannot be used.
 */
export function createFrontListener(parts: FrontListenerParts): FrontListener {
  const { tls, logger } = parts
  const sockets = new Set<Socket>()
  let stopWatching = () => {}

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

  const secure = tls === undefined ? null : createSecureServer(parts, tls)
  const accept = secure === null ? parts.accept : createHandshakes(parts, secure)

  const server = createNetServer({ allowHalfOpen: true }, socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    parts.arrivals.admit('door', socket, source => {
      accept(socket, source)
      if (secure === null) socket.resume()
    })
  })
  server.maxConnections = parts.connectionLimit
  if (secure !== null && tls !== undefined) server.once('listening', () => watch(secure, tls))
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

/** It listens to no port itself: it is given connections, because a PROXY header stands before the handshake. */
function createSecureServer({ limits, logger }: FrontListenerParts, files: CertificateFiles) {
  const server = createTlsServer({
    ...readCertificate(files),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    handshakeTimeout: limits.handshakeMs,
    allowHalfOpen: true,
  })
  server.on('tlsClientError', (cause, socket) => {
    logger.debug({ err: cause }, 'TLS handshake failed')
    socket.destroy()
  })
  return server
}

// TLS hands over another socket than the one that connected; both ends' addresses and ports tell that they are one connection.
const idOf = ({ remoteAddress, remotePort, localAddress, localPort }: Socket) =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`

/**
 * Leads connections through their handshakes. Who connects and leaves at once is noticed by the time-out alone (Node reports no end
 * before a handshake with `allowHalfOpen`), so without bounds one hand could fill the listener and hold no socket itself.
 */
function createHandshakes(parts: FrontListenerParts, secure: TlsServer) {
  const { limits, clock } = parts
  const underWay = new Map<string, Handshake>()
  const places = createWaitingPlaces(
    {
      places: limits.handshakes,
      perAddress: limits.handshakesPerAddress,
      perNetwork: limits.handshakesPerNetwork,
    },
    clock,
  )

  secure.on('secureConnection', socket => {
    const id = idOf(socket)
    const handshake = underWay.get(id)
    underWay.delete(id)
    handshake?.leave()
    if (handshake === undefined) socket.destroy()
    else parts.accept(socket, handshake.source)
  })

  return (socket: Socket, source: Source) => {
    const leave = source.isTrusted
      ? () => {}
      : places.enter(source.address, () => socket.resetAndDestroy())
    if (leave === null) {
      socket.on('error', () => undefined)
      socket.resetAndDestroy()
      return
    }
    const id = idOf(socket)
    const handshake = { source, leave }
    underWay.set(id, handshake)
    socket.once('close', () => {
      if (underWay.get(id) === handshake) underWay.delete(id)
      leave()
    })
    secure.emit('connection', socket)
  }
}
