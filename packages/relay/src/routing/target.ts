import { isIP } from 'node:net'

/** Where a `Host` leads: to the console, to a name under the tunnel domain, or nowhere that we know. */
export type HostTarget =
  | { readonly kind: 'console' }
  | { readonly kind: 'name'; readonly host: string }
  | { readonly kind: 'other'; readonly host: string }

/** What hosts are compared with; lower case, without ports. */
export interface HostRules {
  readonly consoleHost: string
  readonly tunnelDomain: string
  /** Does an IP address as `Host` mean the console (listening everywhere without a public URL)? */
  readonly allowIpLiteralConsole: boolean
}

// The form of labelSchema: what no record can be called is answered without asking the server.
const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The host of a `Host` header or an authority: lower case, no port, no trailing dot, no brackets. RFC 9110 section
 * 7.2; the door has refused whatever is not `uri-host [ ":" port ]`.
 */
export function hostOf(authority: string): string {
  const bracketed = /^\[([^\]]*)\]/.exec(authority)
  if (bracketed !== null) return (bracketed[1] ?? '').toLowerCase()
  const colon = authority.indexOf(':')
  const host = (colon < 0 ? authority : authority.slice(0, colon)).toLowerCase()
  // `nas.localhost.` is the same name, written absolutely (RFC 1034 section 3.1); two dots are no name at all.
  return host.endsWith('.') ? host.slice(0, -1) : host
}

/** Decides where a `Host` leads; pure, so that router and guard cannot disagree. */
export function readHostTarget(authority: string, rules: HostRules): HostTarget {
  const host = hostOf(authority)
  if (host === rules.consoleHost) return { kind: 'console' }
  if (isIP(host) !== 0) {
    return rules.allowIpLiteralConsole ? { kind: 'console' } : { kind: 'other', host }
  }
  const suffix = `.${rules.tunnelDomain}`
  if (!host.endsWith(suffix)) return { kind: 'other', host }
  return label.test(host.slice(0, -suffix.length))
    ? { kind: 'name', host }
    : { kind: 'other', host }
}

/** The rules that follow from the console's origin and the tunnel domain. */
export function hostRulesOf(
  consoleUrl: string,
  tunnelDomain: string,
  allowIpLiteralConsole: boolean,
): HostRules {
  return {
    consoleHost: hostOf(new URL(consoleUrl).host),
    tunnelDomain: hostOf(tunnelDomain),
    allowIpLiteralConsole,
  }
}
