import { isIP, isIPv6 } from 'node:net'
import { createRandomId } from '@homeport/runtime'
import type { FastifyRequest } from 'fastify'
import type { ServerSettings } from '../config.ts'
import { type Language, pickLanguage } from './language.ts'

/** Characters kept of a `User-Agent`. */
const userAgentLimit = 300

/** What the server knows of a request beside its input. */
export interface RequestFacts {
  /** Stands in the answer, in problem documents and in the log. */
  readonly id: string
  /** The caller's address as the relay saw it. */
  readonly address: string
  readonly userAgent: string
  /** Origin under which the caller reached the console: what `Origin` has to be. */
  readonly ownOrigin: string
  /** True where that origin is https. */
  readonly secure: boolean
  readonly language: Language
}

/** Where a request comes from, as its owner may be told. */
export type RequestPlace = Pick<RequestFacts, 'address' | 'userAgent'>

/** Reads the facts; `X-Forwarded-*` and `X-Request-Id` count on the private socket alone, where the relay overwrites them. */
export function readRequestFacts(request: FastifyRequest, settings: ServerSettings): RequestFacts {
  const trusted = 'path' in settings.listen
  const forwarded = (name: string) => (trusted ? headerOf(request, name) : undefined)
  const ownOrigin = findOwnOrigin(settings, {
    host: forwarded('x-forwarded-host') ?? request.headers.host ?? '',
    scheme: forwarded('x-forwarded-proto') === 'https' ? 'https' : 'http',
  })
  return {
    id: readRequestId(forwarded('x-request-id')) ?? createRandomId(),
    address: readAddress(forwarded('x-real-ip')) ?? request.socket.remoteAddress ?? '',
    userAgent: (request.headers['user-agent'] ?? '').slice(0, userAgentLimit),
    ownOrigin,
    secure: ownOrigin.startsWith('https:'),
    language: pickLanguage(request.headers['accept-language']),
  }
}

function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}

const readRequestId = (text: string | undefined) =>
  text !== undefined && /^[A-Za-z0-9_-]{8,64}$/.test(text) ? text : undefined

// Not X-Forwarded-For: behind a trusted proxy that is a chain, and visitors whose address cannot be read would all count as one.
// The relay writes exactly one address here; a list means that somebody else wrote it, and nothing of it is believed.
const readAddress = (text: string | undefined) =>
  text !== undefined && isIP(text) !== 0 ? text : undefined

/** The console's origin, or the request's own where it is an IP literal and the settings let those serve the console. */
function findOwnOrigin(
  settings: ServerSettings,
  { host, scheme }: { host: string; scheme: 'http' | 'https' },
): string {
  if (settings.extraConsoleHosts !== 'ip-literals') return settings.consoleUrl
  const parts = /^(?:\[([0-9a-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(host)
  const address = parts?.[1] ?? parts?.[2]
  if (address === undefined || isIP(address) === 0) return settings.consoleUrl
  return URL.parse(`${scheme}://${host}`)?.origin ?? settings.consoleUrl
}

/** The part of an address that one subscriber holds: an IPv4 address, or the /64 of an IPv6 one. */
export function limitKeyOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? [] : tail.split(':')
    while (groups.length + rest.length < 8) groups.push('0')
    groups.push(...rest)
  }
  const prefix = groups.slice(0, 4).map(group => Number.parseInt(group, 16).toString(16))
  return `${prefix.join(':')}::/64`
}
