import { ticketParameter } from '@homeport/contract/gate'
import { labelUnder, type NameUrlConfig } from '../records/name-urls.ts'

/** An address on a name of this deployment. `host` has no port; `label` is what stands before the tunnel domain. */
export interface NameUrl {
  host: string
  label: string
}

// Everything before path, query or fragment, spelled out: scheme, ASCII host, port. No place for credentials.
const authorityShape = /^(https?):\/\/([a-z0-9.-]+)(?::(\d{1,5}))?(?=[/?#]|$)/i
// Browsers drop tabs and line feeds, trim controls and read a backslash as a slash; none is in an address they send.
const oddCharacters = /[\p{Cc}\s\\]/u

const defaultPorts: Record<string, string> = { 'http:': '80', 'https:': '443' }

/**
 * Reads an address that a browser is to be sent to. Null for everything that is not plainly `scheme://name[:port]` of
 * this deployment: another scheme or port, `https://good@evil`, `//evil`, `javascript:`, backslashes, controls
 * (field.md section 5, open redirect). Our own reading and the WHATWG parser's, which browsers use, have to agree.
 */
export function parseNameUrl(text: string, rules: NameUrlConfig): NameUrl | null {
  if (oddCharacters.test(text)) return null
  const parts = authorityShape.exec(text)
  if (parts === null || !URL.canParse(text)) return null
  const url = new URL(text)
  const own = new URL(rules.consoleUrl)
  const host = (parts[2] ?? '').toLowerCase()
  const isSameReading =
    url.protocol === `${parts[1]?.toLowerCase()}:` &&
    url.hostname === host &&
    url.username === '' &&
    url.password === '' &&
    portOf(url) === Number(parts[3] ?? defaultPorts[url.protocol])
  if (!isSameReading || url.protocol !== own.protocol || portOf(url) !== portOf(own)) return null
  const label = labelUnder(host, rules.tunnelDomain)
  return label === null ? null : { host, label }
}

const portOf = (url: URL): number => Number(url.port === '' ? defaultPorts[url.protocol] : url.port)

/**
 * Puts the ticket at the end of the query and leaves every other byte as it is. A ticket that is already there is
 * taken out first: whoever wrote the link must not choose which one the relay reads.
 */
export function appendTicket(text: string, ticket: string): string {
  const hash = text.indexOf('#')
  const fragment = hash < 0 ? '' : text.slice(hash)
  const base = hash < 0 ? text : text.slice(0, hash)
  const mark = base.indexOf('?')
  const path = mark < 0 ? base : base.slice(0, mark)
  const query = mark < 0 ? [] : base.slice(mark + 1).split('&')
  const kept = query.filter(pair => !isTicketPair(pair))
  const pair = `${ticketParameter}=${ticket}`
  const rest = kept.join('&')
  return `${path}?${rest === '' ? pair : `${rest}&${pair}`}${fragment}`
}

// Compared as the URL standard reads a query, so that `__hp%5Fticket` is the same name.
const isTicketPair = (pair: string): boolean => new URLSearchParams(pair).has(ticketParameter)
