import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { getDomain } from 'tldts'

/** What an operator said, as parsed from flags and environment; see `options.ts`. */
export interface DeploymentInput {
  port: number
  host: string
  publicUrl: string | undefined
  tunnelDomain: string
  mode: 'development' | 'production' | undefined
  tlsCert: string | undefined
  tlsKey: string | undefined
  sameSiteTunnels: boolean
  insecureHttp: boolean
  trustedProxies: readonly string[]
  proxyProtocol: 'off' | 'door' | 'all'
}

/** What follows from it. */
export interface Deployment {
  mode: 'development' | 'production'
  /** Origin of the console without a trailing slash. */
  consoleUrl: string
  tunnelDomain: string
  /** True where every IP-literal host serves the console: nobody named a public address. */
  ipLiteralConsole: boolean
  /** Sentences an operator should read at the start. */
  warnings: string[]
}

/** True for a host that is this machine by its very name. */
export const isLoopbackName = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '127.0.0.1' || host === '[::1]'

const isAnyAddress = (host: string) => host === '0.0.0.0' || host === '::'

const labels =
  /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/

/** Settles what the options mean together; every problem is named at once and refuses the start. */
export function settleDeployment(
  input: DeploymentInput,
): { ok: true; deployment: Deployment } | { ok: false; problems: string[] } {
  const problems: string[] = []
  const warnings: string[] = []
  const scheme = input.tlsCert === undefined ? 'http' : 'https'
  if ((input.tlsCert === undefined) !== (input.tlsKey === undefined)) {
    problems.push('HOMEPORT_TLS_CERT and HOMEPORT_TLS_KEY go together; one of them is missing')
  }
  const url = readPublicUrl(input, scheme, problems)
  const listensOnLoopback = isLoopbackAddress(input.host)
  const isLocal = isLoopbackName(url.hostname) && listensOnLoopback
  const mode = input.mode ?? (isLocal ? 'development' : 'production')
  if (mode === 'development' && !isLocal) {
    problems.push(
      'HOMEPORT_MODE=development is for this machine alone; public URL and host must be loopback',
    )
  }
  const tunnelDomain = input.tunnelDomain.toLowerCase().replace(/\.$/, '')
  if (!labels.test(tunnelDomain) || isIP(tunnelDomain) !== 0) {
    problems.push(`HOMEPORT_TUNNEL_DOMAIN is not a domain name: ${input.tunnelDomain}`)
  }
  checkSites(url.hostname, tunnelDomain, input.sameSiteTunnels, problems)
  const ipLiteralConsole = isAnyAddress(input.host) && input.publicUrl === undefined
  if (url.protocol === 'http:' && !isLoopbackName(url.hostname) && !input.insecureHttp) {
    problems.push(
      'HOMEPORT_PUBLIC_URL is http:// on a public name: passwords and sessions would travel in the clear. ' +
        'Configure a certificate, or pass --insecure-http if you must',
    )
  }
  if (input.proxyProtocol !== 'off' && input.trustedProxies.length === 0) {
    problems.push(
      'HOMEPORT_PROXY_PROTOCOL needs HOMEPORT_TRUSTED_PROXIES: nobody else may name visitors',
    )
  }
  if (ipLiteralConsole && scheme === 'http') {
    warnings.push(
      '本机每个地址都以 http 明文提供控制台 (every address serves the console in the clear)。',
    )
  }
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    deployment: { mode, consoleUrl: url.origin, tunnelDomain, ipLiteralConsole, warnings },
  }
}

function readPublicUrl(input: DeploymentInput, scheme: string, problems: string[]): URL {
  const fallback = new URL(`${scheme}://localhost:${input.port}`)
  if (input.publicUrl === undefined) return fallback
  if (!URL.canParse(input.publicUrl)) {
    problems.push(`HOMEPORT_PUBLIC_URL is not an address: ${input.publicUrl}`)
    return fallback
  }
  const url = new URL(input.publicUrl)
  const isOrigin =
    url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
  if (!/^https?:$/.test(url.protocol) || !isOrigin) {
    problems.push('HOMEPORT_PUBLIC_URL must be http(s)://host[:port] and nothing else')
  }
  return url
}

/**
 * A tunnelled site that shares the console's registrable domain is "same site" with it: it could toss cookies at the
 * console and SameSite would not hold its requests back (docs/security.md).
 */
function checkSites(
  consoleHost: string,
  tunnelDomain: string,
  isAllowed: boolean,
  problems: string[],
): void {
  if (isLoopbackName(consoleHost) || isAllowed) return
  const site = (host: string) => getDomain(host, { allowPrivateDomains: true }) ?? host
  if (site(consoleHost) === site(tunnelDomain)) {
    problems.push(
      `console and tunnels share the registrable domain ${site(tunnelDomain)}: use another domain for tunnels, ` +
        'or pass --same-site-tunnels if you trust every tunnelled site',
    )
  }
}

function isLoopbackAddress(host: string): boolean {
  if (host === 'localhost') return true
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback'
}
