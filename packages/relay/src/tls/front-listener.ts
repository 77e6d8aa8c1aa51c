import { once } from 'node:events'
import {
  type AddressInfo,
  createServer as createNetServer,
  type Server,
  type Socket,
} from 'node:net'
import { createServer as createTlsServer, type Server as TlsServer } from 'node:tls'
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
      parts.accept,
    )
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
