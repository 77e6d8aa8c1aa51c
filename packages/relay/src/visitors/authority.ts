import { isIPv6 } from 'node:net'

/** The host and port that a request names (RFC 9110 §7.2, RFC 3986 §3.2). */
export interface Authority {
  /** Lower case, without brackets' port and without a final dot: what routing looks up. */
  readonly host: string
  /** Null where none was named. */
  readonly port: number | null
  /** Lower case, as it was asked: host and, where it was named, the port. */
  readonly text: string
}

const shape = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?\.?)(?::([0-9]{1,5}))?$/

/**
 * Reads `host[:port]`; null for anything else: credentials, path characters, percent codes, an empty or impossible port, empty
 * labels. Stricter than the URI grammar: a name that two programs could read differently routes nowhere.
 */
export function parseAuthority(given: string): Authority | null {
  const text = given.toLowerCase()
  const parts = shape.exec(text)
  if (parts === null) return null
  const named = parts[1] ?? ''
  if (named.startsWith('[') ? !isIPv6(named.slice(1, -1)) : named.includes('..')) return null
  const host = named.endsWith('.') ? named.slice(0, -1) : named
  if (host.length > 253) return null
  if (parts[2] === undefined) return { host, port: null, text }
  const port = Number(parts[2])
  return port >= 1 && port <= 65_535 ? { host, port, text } : null
}
