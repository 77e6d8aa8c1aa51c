import { createHash, randomBytes } from 'node:crypto'
import {
  type GatePass,
  type GateTicket,
  gateLifetimeMs,
  sealPass,
  sealTicket,
  unsealPass,
} from '@homeport/contract/gate'
import { describe, expect, it } from 'vitest'
import { createEndedSessions } from './ended-sessions.ts'
import { decideAccess, type GateParts } from './gate.ts'
import type { GateRequest } from './page-load.ts'
import { createPassReader } from './pass-reader.ts'

const now = 1_800_000_000_000
const key = randomBytes(32)
const route = { record: 7, host: 'nas.localhost', access: ['owner' as const] }
const nonce = randomBytes(32).toString('base64url')
const hash = (text: string) => createHash('sha256').update(text).digest('base64url')
const endedSessions = createEndedSessions(() => now)
endedSessions.add('gone')
const parts: GateParts = {
  key,
  readPass: createPassReader(key),
  consoleUrl: 'http://localhost:8080',
  endedSessions,
  now: () => now,
}

const pageHeaders = { accept: 'text/html,*/*;q=0.8', 'sec-fetch-mode': 'navigate' }

function request(
  path: string,
  headers: Record<string, string> = pageHeaders,
  more: Partial<GateRequest> = {},
): GateRequest {
  return {
    method: 'GET',
    path,
    authority: 'nas.localhost:8080',
    isUpgrade: false,
    header: name => headers[name],
    ...more,
  }
}

const pass: GatePass = {
  host: 'nas.localhost',
  record: 7,
  user: 1,
  session: 's1',
  expiresAt: now + 1000,
}
const ticket: GateTicket = { ...pass, n: hash(nonce) }
const ticketPath = (given: GateTicket = ticket, sealKey = key) =>
  `/a%2Fb?x=1&__hp_ticket=${sealTicket(sealKey, given)}&y=%20`
const withCookie = (cookie: string, headers: Record<string, string> = pageHeaders) => ({
  ...headers,
  cookie,
})
const passCookie = (given: GatePass = pass) => `a=b; hp_gate=${sealPass(key, given)}; c=d`

describe('the way in', () => {
  it('lets everybody into a public record and nobody into one without a way', () => {
    const open = { ...route, access: ['public' as const, 'owner' as const] }
    expect(decideAccess(parts, open, request('/'))).toEqual({ kind: 'pass', session: null })
    expect(decideAccess(parts, { ...route, access: [] }, request('/'))).toEqual({
      kind: 'refuse',
      code: 'not_signed_in',
    })
  })

  it('sends a page load to the login with the whole address and a nonce', () => {
    const decision = decideAccess(parts, route, request('/films?q=a&b=%E4%B8%AD'))
    if (decision.kind !== 'redirect') throw new Error(decision.kind)
    expect(decision.status).toBe(302)
    const [, given] = /^hp_nonce=([\w-]{43}); Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/.exec(
      decision.cookie ?? '',
    ) as RegExpExecArray
    const address = encodeURIComponent('http://nas.localhost:8080/films?q=a&b=%E4%B8%AD')
    expect(decision.location).toBe(
      `http://localhost:8080/#/login?url=${address}&n=${hash(given ?? '')}`,
    )
  })

  it('keeps the nonce that a browser has, so that two tabs can sign in side by side', () => {
    const decision = decideAccess(parts, route, request('/', withCookie(`hp_nonce=${nonce}`)))
    if (decision.kind !== 'redirect') throw new Error(decision.kind)
    expect(decision.location).toContain(`&n=${hash(nonce)}`)
    expect(decision.cookie).toContain(`hp_nonce=${nonce};`)
    const odd = decideAccess(parts, route, request('/', withCookie('hp_nonce=x; HttpOnly')))
    if (odd.kind !== 'redirect') throw new Error(odd.kind)
    expect(odd.cookie).toMatch(/^hp_nonce=[\w-]{43};/)
  })

  it('uses __Host- cookies with Secure on https', () => {
    const secure = { ...parts, consoleUrl: 'https://console.example' }
    const decision = decideAccess(secure, route, request('/'))
    if (decision.kind !== 'redirect') throw new Error(decision.kind)
    expect(decision.cookie).toMatch(/^__Host-hp_nonce=.*; Path=\/; .*; Secure$/)
    expect(decision.location).toContain(encodeURIComponent('https://nas.localhost:8080/'))
    const tossed = request('/', withCookie(passCookie()))
    expect(decideAccess(secure, route, tossed).kind).toBe('redirect')
  })

  it.each<[string, Partial<GateRequest>, Record<string, string>]>([
    ['a script', {}, { accept: '*/*' }],
    ['no Accept', {}, {}],
    ['html refused by q=0', {}, { accept: 'text/html;q=0, application/json' }],
    ['a form', { method: 'POST' }, pageHeaders],
    ['a frame', {}, { accept: 'text/html', 'sec-fetch-dest': 'iframe' }],
    ['a picture', {}, { accept: 'text/html', 'sec-fetch-dest': 'image' }],
    ['fetch()', {}, { accept: 'text/html', 'sec-fetch-mode': 'cors' }],
    ['a WebSocket', { isUpgrade: true }, pageHeaders],
  ])('never redirects what is no page load: %s', (_, more, headers) => {
    expect(decideAccess(parts, route, request('/', headers, more))).toEqual({
      kind: 'refuse',
      code: 'not_signed_in',
    })
  })

  it('goes round by the front page where the address is longer than the console takes', () => {
    const decision = decideAccess(parts, route, request(`/${'a'.repeat(5000)}`))
    if (decision.kind !== 'redirect') throw new Error(decision.kind)
    expect(decision.location).toContain(`url=${encodeURIComponent('http://nas.localhost:8080/')}&`)
  })
})

describe('a ticket', () => {
  it('becomes a gate cookie and leaves the address, byte for byte', () => {
    const decision = decideAccess(
      parts,
      route,
      request(ticketPath(), withCookie(`hp_nonce=${nonce}`)),
    )
    if (decision.kind !== 'redirect') throw new Error(decision.kind)
    expect(decision.status).toBe(303)
    expect(decision.location).toBe('http://nas.localhost:8080/a%2Fb?x=1&y=%20')
    const [, sealed] = /^hp_gate=([^;]+); Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/.exec(
      decision.cookie ?? '',
    ) as RegExpExecArray
    expect(unsealPass(key, sealed ?? '', now)).toEqual({
      host: 'nas.localhost',
      record: 7,
      user: 1,
      session: 's1',
      expiresAt: now + gateLifetimeMs,
    })
  })

  it('cannot lead away by a path that looks like a host', () => {
    const path = `//evil.example/?__hp_ticket=${sealTicket(key, ticket)}`
    const decision = decideAccess(parts, route, request(path, withCookie(`hp_nonce=${nonce}`)))
    expect(decision).toMatchObject({ location: 'http://nas.localhost:8080//evil.example/' })
  })

  it.each<[string, string, string]>([
    ['without its nonce cookie', ticketPath(), ''],
    ['with another nonce', ticketPath(), `hp_nonce=${randomBytes(32).toString('base64url')}`],
    ['of another host', ticketPath({ ...ticket, host: 'x.localhost' }), `hp_nonce=${nonce}`],
    ['of another record', ticketPath({ ...ticket, record: 8 }), `hp_nonce=${nonce}`],
    ['that expired', ticketPath({ ...ticket, expiresAt: now }), `hp_nonce=${nonce}`],
    ['of an ended session', ticketPath({ ...ticket, session: 'gone' }), `hp_nonce=${nonce}`],
    ['signed by another key', ticketPath(ticket, randomBytes(32)), `hp_nonce=${nonce}`],
    ['that is a gate cookie', `/?__hp_ticket=${sealPass(key, pass)}`, `hp_nonce=${nonce}`],
    ['that is rubbish', '/?__hp_ticket=a.b', `hp_nonce=${nonce}`],
    ['that is empty', '/?__hp_ticket', `hp_nonce=${nonce}`],
  ])('is refused %s, and never redirected', (_, path, cookie) => {
    expect(decideAccess(parts, route, request(path, withCookie(cookie)))).toEqual({
      kind: 'refuse',
      code: 'cookies_blocked',
    })
  })

  it('in a POST is worth nothing', () => {
    const post = request(ticketPath(), withCookie(`hp_nonce=${nonce}`), { method: 'POST' })
    expect(decideAccess(parts, route, post)).toEqual({ kind: 'refuse', code: 'not_signed_in' })
  })

  it('only leaves the address of whoever is in already', () => {
    const decision = decideAccess(parts, route, request(ticketPath(), withCookie(passCookie())))
    expect(decision).toEqual({
      kind: 'redirect',
      status: 303,
      location: 'http://nas.localhost:8080/a%2Fb?x=1&y=%20',
      cookie: null,
    })
  })
})

describe('a gate cookie', () => {
  it('lets in, also behind one that a sibling name tossed in', () => {
    const tossed = `hp_gate=rubbish; hp_gate=${sealPass(key, pass)}`
    expect(decideAccess(parts, route, request('/', { cookie: tossed }))).toEqual({
      kind: 'pass',
      session: 's1',
    })
  })

  it.each<[string, string]>([
    ['of a sibling name', passCookie({ ...pass, host: 'x.localhost' })],
    ['of another record', passCookie({ ...pass, record: 8 })],
    ['that expired', passCookie({ ...pass, expiresAt: now })],
    ['of an ended session', passCookie({ ...pass, session: 'gone' })],
    ['that is a ticket', `hp_gate=${sealTicket(key, ticket)}`],
  ])('is worth nothing %s', (_, cookie) => {
    expect(decideAccess(parts, route, request('/', { cookie }))).toEqual({
      kind: 'refuse',
      code: 'not_signed_in',
    })
  })

  const own = 'http://nas.localhost:8080'
  it.each<[string, boolean, Record<string, string>, Partial<GateRequest>]>([
    ['own WebSocket', true, { origin: own }, { isUpgrade: true }],
    ['WebSocket of a program', true, {}, { isUpgrade: true }],
    ['foreign WebSocket', false, { origin: 'http://evil.localhost:8080' }, { isUpgrade: true }],
    ['WebSocket of a sandbox', false, { origin: 'null' }, { isUpgrade: true }],
    ['WebSocket of another port', false, { origin: 'http://nas.localhost' }, { isUpgrade: true }],
    ['own form', true, { origin: own }, { method: 'POST' }],
    [
      'own form without referrer',
      true,
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
      { method: 'POST' },
    ],
    ['form of a sibling', false, { 'sec-fetch-site': 'same-site' }, { method: 'POST' }],
    ['old form of a sibling', false, { origin: 'http://x.localhost:8080' }, { method: 'PUT' }],
    ['link from elsewhere', true, { 'sec-fetch-site': 'cross-site' }, { method: 'GET' }],
  ])('is taken from the right pages only: %s', (_, isIn, headers, more) => {
    const decision = decideAccess(
      parts,
      route,
      request('/', withCookie(passCookie(), headers), more),
    )
    expect(decision).toEqual(
      isIn ? { kind: 'pass', session: 's1' } : { kind: 'refuse', code: 'foreign_origin' },
    )
  })
})
