import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Route } from '@homeport/contract/control'
import {
  type GatePass,
  gateCookies,
  gateLifetimeMs,
  sealPass,
  unsealTicket,
} from '@homeport/contract/gate'
import { readCookies, writeCookie } from './cookies.ts'
import type { EndedSessions } from './ended-sessions.ts'
import { type GateRequest, isPageLoad } from './page-load.ts'
import type { PassReader } from './pass-reader.ts'
import { takeTicket } from './ticket-query.ts'

/** What the gate says to one request on a record's name. It decides and never answers. */
export type GateDecision =
  /** `session`: the console session that let the visitor in, null on a public record. */
  | { readonly kind: 'pass'; readonly session: string | null }
  | {
      readonly kind: 'redirect'
      readonly status: 302 | 303
      readonly location: string
      readonly cookie: string | null
    }
  /** `not_signed_in` is a problem document for whoever asks; the others are pages for people. */
  | { readonly kind: 'refuse'; readonly code: GateRefusal }

/** Why the gate lets nobody in. */
export type GateRefusal = 'cookies_blocked' | 'not_signed_in' | 'foreign_origin'

/** What a gate works with. */
export interface GateParts {
  /** Key of tickets and cookies, 32 bytes. */
  readonly key: Buffer
  readonly readPass: PassReader
  /** Origin of the console without a trailing slash; its scheme is the scheme of every name. */
  readonly consoleUrl: string
  readonly endedSessions: EndedSessions
  now(): number
}

// A sign-in with a forgotten password and a second factor fits into an hour.
const nonceLifetimeSeconds = 60 * 60
const noncePattern = /^[A-Za-z0-9_-]{43}$/
// The limit of `url` in createGateTicket: beyond it the visitor comes back to the front page of the name.
const addressLimit = 4096

const hashNonce = (nonce: string) => createHash('sha256').update(nonce).digest('base64url')

/** Decides whether a request may go on to the record of its host (decisions.md section 5). */
export function decideAccess(
  parts: GateParts,
  route: Pick<Route, 'record' | 'host' | 'access'>,
  request: GateRequest,
): GateDecision {
  if (route.access.includes('public')) return { kind: 'pass', session: null }
  if (!route.access.includes('owner')) return { kind: 'refuse', code: 'not_signed_in' }
  const pass = findPass(parts, route, request)
  const { ticket } = takeTicket(request.path)
  if (ticket !== null && (request.method === 'GET' || request.method === 'HEAD')) {
    return redeemTicket(parts, route, request, ticket, pass)
  }
  if (pass !== null) {
    return isForeign(parts, request)
      ? { kind: 'refuse', code: 'foreign_origin' }
      : { kind: 'pass', session: pass.session }
  }
  return isPageLoad(request)
    ? sendToLogin(parts, request)
    : { kind: 'refuse', code: 'not_signed_in' }
}

/** The console's login page with the name that leads nowhere (decisions.md section 5, step 5). */
export const unknownNameLocation = (consoleUrl: string, host: string) =>
  `${consoleUrl}/#/login?invalidDomain=${encodeURIComponent(host)}`

const isSecure = (parts: GateParts) => parts.consoleUrl.startsWith('https:')

// Absolute on purpose: `//evil.example/` as a relative Location would lead away.
const originOf = (parts: GateParts, request: GateRequest) =>
  `${isSecure(parts) ? 'https' : 'http'}://${request.authority.toLowerCase()}`

function isValidFor(
  parts: GateParts,
  route: Pick<Route, 'record' | 'host'>,
  pass: GatePass,
): boolean {
  return (
    pass.host === route.host &&
    pass.record === route.record &&
    !parts.endedSessions.has(pass.session)
  )
}

function findPass(
  parts: GateParts,
  route: Pick<Route, 'record' | 'host'>,
  request: GateRequest,
): GatePass | null {
  const { gate } = gateCookies(isSecure(parts))
  for (const text of readCookies(request.header('cookie'), gate)) {
    const pass = parts.readPass(text, parts.now())
    if (pass !== null && isValidFor(parts, route, pass)) return pass
  }
  return null
}

function redeemTicket(
  parts: GateParts,
  route: Pick<Route, 'record' | 'host'>,
  request: GateRequest,
  text: string,
  existing: GatePass | null,
): GateDecision {
  const location = originOf(parts, request) + takeTicket(request.path).cleanPath
  // Whoever is in already (another tab was faster) only loses the ticket from the address.
  if (existing !== null) return { kind: 'redirect', status: 303, location, cookie: null }
  const ticket = unsealTicket(parts.key, text, parts.now())
  // Never a redirect back to the login for a ticket that does not work: a browser without cookies, or a relay with a
  // wrong clock, would go round for ever.
  if (ticket === null || !isValidFor(parts, route, ticket) || !holdsNonce(parts, request, ticket.n))
    return { kind: 'refuse', code: 'cookies_blocked' }
  const { host, record, user, session } = ticket
  const pass = { host, record, user, session, expiresAt: parts.now() + gateLifetimeMs }
  const secure = isSecure(parts)
  const cookie = writeCookie(gateCookies(secure).gate, sealPass(parts.key, pass), {
    secure,
    maxAgeSeconds: gateLifetimeMs / 1000,
  })
  return { kind: 'redirect', status: 303, location, cookie }
}

// Without the nonce a ticket is worth nothing: a copied link does not open the name, and nobody can push a browser
// into a session that is not its own.
function holdsNonce(parts: GateParts, request: GateRequest, hash: string): boolean {
  const expected = Buffer.from(hash)
  return readCookies(request.header('cookie'), gateCookies(isSecure(parts)).nonce).some(nonce => {
    const given = Buffer.from(hashNonce(nonce))
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

function sendToLogin(parts: GateParts, request: GateRequest): GateDecision {
  const secure = isSecure(parts)
  const name = gateCookies(secure).nonce
  // One nonce for all tabs of a browser: a second tab must not make the first one's ticket worthless.
  const held = readCookies(request.header('cookie'), name).find(value => noncePattern.test(value))
  const nonce = held ?? randomBytes(32).toString('base64url')
  const origin = originOf(parts, request)
  const address = origin + request.path
  const url = encodeURIComponent(address.length > addressLimit ? `${origin}/` : address)
  return {
    kind: 'redirect',
    status: 302,
    location: `${parts.consoleUrl}/#/login?url=${url}&n=${hashNonce(nonce)}`,
    cookie: writeCookie(name, nonce, { secure, maxAgeSeconds: nonceLifetimeSeconds }),
  }
}

/**
 * Does another site's page make this request with the visitor's gate cookie? Sibling names are the same site to a
 * browser, so `SameSite=Lax` does not stop them, and a WebSocket is not held by CORS. Reading with GET is.
 */
function isForeign(parts: GateParts, request: GateRequest): boolean {
  const isReading = request.method === 'GET' || request.method === 'HEAD'
  if (isReading && !request.isUpgrade) return false
  const site = request.header('sec-fetch-site')
  if (site !== undefined && !request.isUpgrade) return site !== 'same-origin' && site !== 'none'
  const origin = request.header('origin')
  return origin !== undefined && origin.toLowerCase() !== originOf(parts, request)
}
