import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { TunnelError } from '../errors.ts'

/** How the server's certificate is judged. */
export interface LinkTlsOptions {
  /** Certificates trusted instead of the system's, PEM. */
  readonly ca?: string | Buffer | undefined
}

/** Where to connect for a URL; brackets are the URL's and no part of an IPv6 address. */
export function addressOf(server: URL): { host: string; port: number } {
  const host = server.hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(server.port || (server.protocol === 'http:' ? 80 : 443)) }
}

/** What a certificate of the server must satisfy. */
export function secureOptionsOf(server: URL, tls: LinkTlsOptions | undefined): ConnectionOptions {
  const { host } = addressOf(server)
  return {
    host,
    // RFC 6066 section 3: an address is no server name.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(tls?.ca === undefined ? {} : { ca: tls.ca }),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
  }
}

/** Begins to connect; errors come as the socket's. Throws `link_refused` for what is neither http: nor https:. */
export function connectServer(server: URL, tls: LinkTlsOptions | undefined): Socket {
  if (server.protocol === 'http:') return connectTcp(addressOf(server))
  if (server.protocol === 'https:') {
    return connectTls({ ...secureOptionsOf(server, tls), ...addressOf(server) })
  }
  throw new TunnelError('link_refused', {
    detail: `${server.protocol} is no way`,
    retry: 'never',
  })
}
