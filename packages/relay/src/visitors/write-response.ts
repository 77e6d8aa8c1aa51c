import type { Field } from './field-lines.ts'
import { type HeadRewrite, translateOrigin } from './head-rewrite.ts'
import type { ResponseHead } from './response-head.ts'
import { isGateCookie } from './write-request.ts'

/** Where the answer appears to come from. */
export interface PublicPlace {
  /** `https://nas.example:8443`, as the browser shows it. */
  readonly origin: string
  /** Lower case, without a port. */
  readonly host: string
  /** Our own server answers: it may take away what siblings of the console tossed in under a parent's domain. */
  readonly isOurs: boolean
}

/** Fields of this hop; `Alt-Svc` invites to a port of the target that nobody outside can reach. */
const dropped = new Set(
  'connection keep-alive proxy-connection upgrade te alt-svc http2-settings'.split(' '),
)

/** A response head as the visitor gets it, in latin1, with its empty line; `connection` is `close`, `Upgrade` or null. */
export function writeResponseHead(
  head: ResponseHead,
  rewrite: HeadRewrite,
  place: PublicPlace,
  connection: 'close' | 'Upgrade' | null,
): string {
  let text = `HTTP/1.1 ${head.status} ${head.reason}\r\n`
  // RFC 9110 §8.6, RFC 9112 §6.1: no length and no coding on 1xx and 204; some home devices send them.
  const isBare = head.status < 200 || head.status === 204
  for (const field of head.fields) {
    const { name } = field
    if (dropped.has(name) || head.hopNames.includes(name)) continue
    if (isBare && (name === 'content-length' || name === 'transfer-encoding')) continue
    text += responseLine(field, rewrite, place)
  }
  if (connection === 'close') text += 'Connection: close\r\n'
  else if (connection === 'Upgrade') text += 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  return `${text}\r\n`
}

function responseLine(field: Field, rewrite: HeadRewrite, place: PublicPlace): string {
  switch (field.name) {
    case 'location':
    case 'content-location':
    case 'access-control-allow-origin':
      return changed(field, toPublic(field.value, rewrite, place))
    case 'refresh':
      return changed(field, rewriteRefresh(field.value, rewrite, place))
    case 'clear-site-data':
      return clearLine(field)
    case 'set-cookie':
      return cookieLine(field, place)
    default:
      return field.line
  }
}

const changed = (field: Field, value: string) =>
  value === field.value ? field.line : `${field.name}: ${value}\r\n`

/** An address of the target's own origin as one of the public origin; every other address as it is. */
function toPublic(value: string, rewrite: HeadRewrite, place: PublicPlace): string {
  if (value.startsWith('/')) {
    if (!value.startsWith('//')) return value
    // `//host/path` takes the scheme of the page (RFC 3986 §4.2).
    const full = `${rewrite.scheme}:${value}`
    const moved = translateOrigin(full, rewrite.origins, place.origin)
    return moved === full ? value : moved
  }
  const moved = translateOrigin(value, rewrite.origins, place.origin)
  // A target that was asked under the public host answers with its own scheme where TLS ends at the relay.
  if (moved !== value || rewrite.host !== null) return moved
  const authority = place.origin.slice(place.origin.indexOf(':'))
  return translateOrigin(value, [`${rewrite.scheme}${authority}`], place.origin)
}

/**
 * `Clear-Site-Data` without what reaches beyond the name: "cookies" clears those of the whole registrable domain (W3C Clear Site Data
 * §3.1), which here belong to the records of other people.
 */
function clearLine(field: Field): string {
  const kinds = field.value.split(',').map(kind => kind.trim())
  const kept = kinds.flatMap(kind => {
    if (kind === '"*"') return ['"cache"', '"storage"', '"executionContexts"']
    return kind === '"cookies"' ? [] : [kind]
  })
  if (kept.length === 0) return ''
  return kept.join() === kinds.join() ? field.line : `Clear-Site-Data: ${kept.join(', ')}\r\n`
}

/** `5; url=http://…` as old router pages send it. */
function rewriteRefresh(value: string, rewrite: HeadRewrite, place: PublicPlace): string {
  const parts = /^([^;,]*[;,]\s*url\s*=\s*["']?)(.*)$/i.exec(value)
  if (parts === null) return value
  return (parts[1] ?? '') + toPublic(parts[2] ?? '', rewrite, place)
}

/**
 * A cookie of the target. One with a gate name is dropped: it would log the visitor out or plant a pass. `Domain` stays only where it
 * is the public host itself: a parent's would reach the sibling names of other people, the target's own would be refused.
 */
function cookieLine(field: Field, place: PublicPlace): string {
  if (place.isOurs) return field.line
  const parts = field.value.split(';')
  const name = (parts[0] ?? '').split('=', 1)[0] ?? ''
  if (isGateCookie(name.trim())) return ''
  const kept = parts.filter((part, index) => {
    const [key, domain] = part.split('=', 2)
    if (index === 0 || key?.trim().toLowerCase() !== 'domain') return true
    return (domain ?? '').trim().toLowerCase().replace(/^\./, '') === place.host
  })
  return kept.length === parts.length ? field.line : `Set-Cookie: ${kept.join(';')}\r\n`
}
