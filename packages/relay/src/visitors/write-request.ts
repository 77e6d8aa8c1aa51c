import { gateCookies } from '@homeport/contract/gate'
import { takeTicket } from '../gate/ticket-query.ts'
import { type HeadRewrite, translateOrigin } from './head-rewrite.ts'
import { isIdentityName } from './identity-names.ts'
import { loopLine } from './loop.ts'
import type { RequestHead } from './request-head.ts'

/** What the door says of the visitor, in place of whatever the visitor said. */
export interface ForwardedFacts {
  /** `X-Forwarded-For`: the address, after the chain that a trusted proxy sent. */
  readonly chain: string
  readonly address: string
  readonly isSecure: boolean
  readonly flow: string
}

/**
 * Fields of this hop (RFC 9110 §7.6.1), those that the door writes itself, and spellings of the framing that only targets which
 * cannot tell `_` from `-` would read.
 */
const dropped = new Set(
  (
    'host connection keep-alive proxy-connection upgrade te proxy-authorization http2-settings ' +
    'content_length transfer_encoding'
  ).split(' '),
)

/** Fields that name the site itself: a target that is shown its own Host must not find another one in them (RFC 4918 §10.3). */
const ownOriginFields = new Set(['origin', 'referer', 'destination'])

const gateNames: ReadonlySet<string> = new Set([
  ...Object.values(gateCookies(true)),
  ...Object.values(gateCookies(false)),
])

/** True for a cookie that belongs to the gate; a tunnelled site may neither see nor set it. */
export const isGateCookie = (name: string) => gateNames.has(name)

/** The origin that the visitor's browser shows. */
export const publicOrigin = (head: RequestHead, isSecure: boolean) =>
  `${isSecure ? 'https' : 'http'}://${head.authority.text}`

/** The request head as the target gets it, in latin1, with the empty line that ends it. */
export function writeRequestHead(
  head: RequestHead,
  rewrite: HeadRewrite,
  facts: ForwardedFacts,
): string {
  const target = head.target.includes('?') ? takeTicket(head.target).cleanPath : head.target
  const host = rewrite.host ?? head.authority.text
  let text = `${head.method} ${target} HTTP/1.${head.minorVersion}\r\nHost: ${host}\r\n`
  for (const field of head.fields) {
    const { name } = field
    if (dropped.has(name) || isIdentityName(name) || head.hopNames.includes(name)) continue
    if (name === 'cookie') text += cookieLine(field.value, field.line)
    // One spelling: a target that reads `Transfer-Encoding:<tab>chunked` or `007` in its own way would find other requests in the body.
    else if (name === 'transfer-encoding') text += 'Transfer-Encoding: chunked\r\n'
    else if (name === 'content-length') text += `Content-Length: ${Number(field.value)}\r\n`
    else if (rewrite.ownOrigin !== null && ownOriginFields.has(name)) {
      const own = [publicOrigin(head, facts.isSecure)]
      const value = translateOrigin(field.value, own, rewrite.ownOrigin)
      text += value === field.value ? field.line : `${name}: ${value}\r\n`
    } else text += field.line
  }
  // A 1.0 visitor knows neither chunks nor 1xx: the target is asked as 1.0 too and ends its answer by closing.
  if (head.minorVersion === 0) text += 'Connection: close\r\n'
  else if (head.upgrade !== null) text += 'Connection: Upgrade\r\nUpgrade: websocket\r\n'
  return text + forwardedLines(head, facts)
}

function forwardedLines(head: RequestHead, facts: ForwardedFacts): string {
  const proto = facts.isSecure ? 'https' : 'http'
  const port = head.authority.port ?? (facts.isSecure ? 443 : 80)
  return (
    `X-Forwarded-For: ${facts.chain}\r\nX-Real-IP: ${facts.address}\r\n` +
    `X-Forwarded-Proto: ${proto}\r\nX-Forwarded-Host: ${head.authority.text}\r\n` +
    `X-Forwarded-Port: ${port}\r\nX-Request-Id: ${facts.flow}\r\n${loopLine}\r\n`
  )
}

/** The Cookie line without the gate's cookies; nothing where no other was in it. */
function cookieLine(value: string, line: string): string {
  if (!value.includes('hp_')) return line
  const pairs = value.split(';')
  const kept = pairs.filter(pair => !isGateCookie((pair.split('=', 1)[0] ?? '').trim()))
  if (kept.length === pairs.length) return line
  return kept.length === 0 ? '' : `Cookie: ${kept.join(';').trim()}\r\n`
}
