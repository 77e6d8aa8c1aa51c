import { type Authority, parseAuthority } from './authority.ts'
import { type Field, isToken, parseFields, refuseOddBytes } from './field-lines.ts'
import { declaredFraming, type Framing, noBody } from './framing.ts'
import { parseConnection } from './hop-by-hop.ts'
import type { DoorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/** A request's head after the strict reading of RFC 9112; every value is bytes as latin1. */
export interface RequestHead {
  readonly method: string
  /** Origin-form (`/path?query`) or `*`; an absolute-form is already reduced to it. */
  readonly target: string
  readonly minorVersion: 0 | 1
  /** Whom the request is for, from Host (and an absolute-form that agrees with it). */
  readonly authority: Authority
  readonly fields: readonly Field[]
  readonly framing: Framing
  /** The visitor may send another request after this one. */
  readonly isPersistent: boolean
  /** Lower-case protocol of `Upgrade` where `Connection` names it; null elsewhere. */
  readonly upgrade: string | null
  /** Lower-case field names that `Connection` makes this hop's own. */
  readonly hopNames: readonly string[]
}

const requestLine = /^([^ ]{1,32}) ([^ ]+) HTTP\/([0-9])\.([0-9])$/
const versionShape = / HTTP\/([0-9])\.([0-9])$/

/** Visible ASCII without `#`: a fragment never travels (RFC 9112 §3.2), and bytes above 0x7e must come percent-coded. */
const targetBytes = /^[\x21\x22\x24-\x7e]+$/
const absoluteForm = /^https?:\/\/([^/?]*)(.*)$/i

/** Reads a head that {@link createHeadReader} found complete. Throws {@link Refusal} for everything ambiguous. */
export function parseRequestHead(text: string, limits: DoorLimits): RequestHead {
  refuseOddBytes(text)
  const lineEnd = text.indexOf('\r\n')
  if (lineEnd > limits.requestLineBytes) {
    throw new Refusal('target_too_long', 'request line over the limit')
  }
  const { method, rawTarget, minorVersion } = parseRequestLine(text.slice(0, lineEnd))
  const fields = parseFields(text, lineEnd + 2, limits)
  const authority = requestedAuthority(fields)
  const target = requestedTarget(method, rawTarget, authority)
  const declared = declaredFraming(fields, 'request')
  if (minorVersion === 0 && declared?.kind === 'chunked') {
    // RFC 9112 §6.1: a 1.0 sender knows no chunks, so somebody in between got the framing wrong.
    throw new Refusal('bad_request', 'Transfer-Encoding on HTTP/1.0')
  }
  refuseExpectation(fields)
  const connection = parseConnection(fields)
  return {
    method,
    target,
    minorVersion,
    authority,
    fields,
    framing: declared ?? noBody,
    isPersistent: minorVersion === 1 && !connection.close,
    upgrade: minorVersion === 1 ? connection.upgrade : null,
    hopNames: connection.names,
  }
}

function parseRequestLine(line: string) {
  const parts = requestLine.exec(line)
  const version = versionShape.exec(line)
  if (version !== null && (version[1] !== '1' || Number(version[2]) > 1)) {
    throw new Refusal('version_unsupported', 'HTTP version')
  }
  const method = parts?.[1] ?? ''
  const rawTarget = parts?.[2] ?? ''
  if (!isToken(method) || !targetBytes.test(rawTarget)) {
    throw new Refusal('bad_request', 'request line')
  }
  const minorVersion: 0 | 1 = parts?.[4] === '1' ? 1 : 0
  return { method, rawTarget, minorVersion }
}

/** RFC 9112 §3.2: exactly one valid Host, or 400. Asked of 1.0 too: nothing else names the record. */
function requestedAuthority(fields: readonly Field[]): Authority {
  let host: string | null = null
  for (const field of fields) {
    if (field.name !== 'host') continue
    if (host !== null) throw new Refusal('bad_request', 'several Host lines')
    host = field.value
  }
  const authority = host === null ? null : parseAuthority(host)
  if (authority === null) throw new Refusal('bad_request', 'no valid Host')
  return authority
}

/** The four forms of RFC 9112 §3.2; the router and the target must see one and the same authority. */
function requestedTarget(method: string, raw: string, authority: Authority): string {
  // CONNECT would make the door a forward proxy; TRACE hands a script its own cookies back (RFC 9110 §9.3.8).
  if (method === 'CONNECT' || method === 'TRACE') throw new Refusal('method_refused', method)
  if (raw.startsWith('/')) return raw
  if (raw === '*') {
    if (method === 'OPTIONS') return raw
    throw new Refusal('bad_request', '* for another method than OPTIONS')
  }
  const absolute = absoluteForm.exec(raw)
  if (absolute === null) throw new Refusal('bad_request', 'form of the request target')
  if (parseAuthority(absolute[1] ?? '')?.text !== authority.text) {
    throw new Refusal('bad_request', 'absolute-form and Host differ')
  }
  const path = absolute[2] ?? ''
  return path.startsWith('/') ? path : `/${path}`
}

/** RFC 9110 §10.1.1 knows one expectation; `100-continue` passes through to the target. */
function refuseExpectation(fields: readonly Field[]): void {
  for (const { name, value } of fields) {
    if (name === 'expect' && value.toLowerCase() !== '100-continue') {
      throw new Refusal('expectation_failed', 'Expect')
    }
  }
}
