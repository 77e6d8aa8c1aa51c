import { isLoopbackServer } from './loopback-server.ts'

/** The variables that name proxies, as a process has them; names in lower case go before those in upper case. */
export type ProxyEnv = Readonly<Record<string, string | undefined>>

/**
 * The proxy on the way to a server: `HTTPS_PROXY` for https:, `HTTP_PROXY` for http:, unless `NO_PROXY` names the
 * server or it is this machine. Throws TypeError for a proxy that is no http: or https: address.
 */
export function findProxy(server: URL, env: ProxyEnv): URL | null {
  const name = server.protocol === 'https:' ? 'https_proxy' : 'http_proxy'
  const value = readVariable(env, name)
  if (
    value === '' ||
    isLoopbackServer(server) ||
    isExcepted(server, readVariable(env, 'no_proxy'))
  ) {
    return null
  }
  const proxy = URL.parse(value)
  if (proxy === null || !['http:', 'https:'].includes(proxy.protocol)) {
    throw new TypeError(`${name.toUpperCase()} must be an http:// or https:// address`)
  }
  return proxy
}

const readVariable = (env: ProxyEnv, name: string): string =>
  (env[name] || env[name.toUpperCase()] || '').trim()

// The forms that Node's own requests take too, since pairing goes by them: `*`, `host`, `.suffix`, `*.suffix`, each
// with a port if need be.
function isExcepted(server: URL, list: string): boolean {
  const port = server.port || (server.protocol === 'https:' ? '443' : '80')
  const host = server.hostname.toLowerCase().replace(/^\[|\]$/g, '')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some(entry => {
      const named = entry.endsWith(`:${port}`) ? entry.slice(0, -port.length - 1) : entry
      if (named === '*') return true
      const suffix = named.replace(/^\*(?=\.)/, '')
      return suffix.startsWith('.') ? host.endsWith(suffix) : named !== '' && host === named
    })
}
