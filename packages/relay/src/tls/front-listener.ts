import { createServer as createNetServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Logger } from '@homeport/runtime'
import { type CertificateFiles, readCertificate, watchCertificate } from './certificate.ts'

/** What the front door's listener is made of. */
export interface FrontListenerParts {
  readonly tls: CertificateFiles | undefined
  /** Connections at once, before any of them said a word. */
  readonly connectionLimit: number
  readonly logger: Logger
  accept(socket: Socket): void
}

/** The one listener of visitors and agents. */
export interface FrontListener {
  readonly server: Server
  /** Takes no more connections. */
  stop(): void
  /** Cuts what is still connected. */
  destroy(): void
}

const handshakeTimeoutMs = 10_000

/** Makes the listener: HTTPS with a certificate that may change while it runs, plain HTTP without one. Throws where the certificate cannot be used. */
export function createFrontListener(parts: FrontListenerParts): FrontListener {
  const { tls, logger } = parts
  const sockets = new Set<Socket>()
  let stopWatching = () => {}
  let server: Server
  if (tls === undefined) {
    server = createNetServer({ allowHalfOpen: true }, parts.accept)
  } else {
    const secure = createTlsServer(
      {
        ...readCertificate(tls),
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        handshakeTimeout: handshakeTimeoutMs,
        allowHalfOpen: true,
      },
      parts.accept,
    )
    secure.on('tlsClientError', (cause, socket) => {
      logger.debug({ err: cause }, 'TLS handshake failed')
      socket.destroy()
    })
    const watch = watchCertificate(tls, { logger, onChange: pair => secure.setSecureContext(pair) })
    process.on('SIGHUP', watch.reload)
    stopWatching = () => {
      process.off('SIGHUP', watch.reload)
      watch.stop()
    }
    server = secure
  }
  server.maxConnections = parts.connectionLimit
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return {
    server,
    stop() {
      stopWatching()
      server.close()
    },
    destroy() {
      for (const socket of sockets) socket.destroy()
    },
  }
}
