/** Schemes of the home side and their default ports (0: a port must be given). */
const schemes = { http: 80, https: 443, tcp: 0 } as const

/** Scheme of the home side of a record. */
export type TargetScheme = keyof typeof schemes

/** The parts of a target. `host` has no brackets; `url` is the canonical text. */
export interface Target {
  readonly scheme: TargetScheme
  readonly host: string
  readonly port: number
  readonly url: string
}

/** Why a text is not a target. */
export type TargetProblem = 'scheme' | 'host' | 'port' | 'path'

const shape =
  /^([a-z][a-z0-9+.-]*):\/\/(\[[0-9a-f:.]+\]|[^/?#@:[\]]+)(?::(\d{1,5}))?((?:[/?#].*)?)$/i
const dotted = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/
const hostname = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*\.?$/

/**
 * Reads `scheme://host[:port]`. Odd numeric addresses (`0x7f.1`, `2130706433`, leading zeros) are refused, because
 * resolvers disagree on them and an allow-list would check one address and dial another (field.md section 5).
 */
export function parseTarget(
  text: string,
): ({ ok: true } & Target) | { ok: false; code: TargetProblem } {
  const parts = shape.exec(text)
  if (parts === null) return { ok: false, code: /^[a-z]+:\/\//i.test(text) ? 'host' : 'scheme' }
  const scheme = (parts[1] ?? '').toLowerCase()
  if (!Object.hasOwn(schemes, scheme)) return { ok: false, code: 'scheme' }
  const known = scheme as TargetScheme
  const host = parseHost((parts[2] ?? '').toLowerCase())
  if (host === null) return { ok: false, code: 'host' }
  const port = parts[3] === undefined ? schemes[known] : Number(parts[3])
  if (port < 1 || port > 65_535) return { ok: false, code: 'port' }
  if (parts[4] !== '' && parts[4] !== '/') return { ok: false, code: 'path' }
  const authority = host.includes(':') ? `[${host}]` : host
  return { ok: true, scheme: known, host, port, url: `${known}://${authority}:${port}` }
}

function parseHost(text: string): string | null {
  if (text.startsWith('[')) {
    const inner = text.slice(1, -1)
    try {
      return new URL(`http://[${inner}]/`).hostname.slice(1, -1)
    } catch {
      return null // not an IPv6 address; the caller names the problem
    }
  }
  const octets = dotted.exec(text)
  if (octets !== null) {
    const numbers = octets.slice(1)
    return numbers.every(n => Number(n) <= 255 && String(Number(n)) === n) ? text : null
  }
  // A final dot does not make a name of a number: `127.1.` is 127.0.0.1 to some readers.
  const lastLabel = text.replace(/\.$/, '').split('.').at(-1) ?? ''
  if (/^(\d+|0x[0-9a-f]*)$/.test(lastLabel)) return null
  return hostname.test(text) ? text : null
}
