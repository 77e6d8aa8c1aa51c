import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict'
import { parseTarget } from '@homeport/contract'
import {
  type GateTicket,
  sealPass,
  sealTicket,
  ticketParameter,
  unsealPass,
  unsealTicket,
} from '@homeport/contract/gate'
import { readCookies } from '../../packages/relay/src/gate/cookies.ts'
import { takeTicket } from '../../packages/relay/src/gate/ticket-query.ts'
import { hostOf, readHostTarget } from '../../packages/relay/src/routing/target.ts'
import { parseAuthority } from '../../packages/relay/src/visitors/authority.ts'
import { below, mutate, noise, pick, type Random } from './bytes.ts'
import type { FuzzTarget } from './run.ts'

const maker =
  (texts: readonly string[], words: readonly string[]) =>
  (random: Random): Buffer =>
    random() < 0.03
      ? noise(random, below(random, 60))
      : mutate(Buffer.from(pick(random, texts), 'latin1'), random, words)

const addressWords = [
  ...[
    '.',
    ':',
    '/',
    '@',
    '[',
    ']',
    '::',
    '%',
    '#',
    '?',
    '-',
    '_',
    '0x7f',
    '017',
    '127.1',
    '2130706433',
  ],
  ...[
    'localhost',
    'xn--',
    '\xe9',
    '\0',
    ' ',
    '\t',
    '65536',
    '0',
    '00080',
    '::ffff:',
    'fe80::1%eth0',
    'tcp://',
  ],
]

const targetTarget: FuzzTarget = {
  name: 'record-targets',
  make: maker(
    [
      'http://192.168.1.1',
      'https://nas.lan:5001/',
      'tcp://[fd00::1]:22',
      'HTTP://A_b.Example.:8080',
      'tcp://10.0.0.2:22',
    ],
    addressWords,
  ),
  check(input) {
    const target = parseTarget(input.toString('latin1'))
    if (!target.ok) return 'refused'
    // The canonical text is canonical, and the standard's own parser finds the same host and port in it.
    deepStrictEqual(parseTarget(target.url), target)
    const text = target.url.replace(/^[a-z]+:/, 'http:')
    // It refuses names that are no valid Punycode, which a home's resolver may know nevertheless.
    if (/(^|\.)xn--/.test(target.host) && !URL.canParse(text)) return 'accepted'
    const url = new URL(text)
    strictEqual(url.hostname.replace(/^\[|\]$/g, ''), target.host)
    strictEqual(Number(url.port || 80), target.port)
    strictEqual(url.username + url.password + url.search + url.hash, '')
    return 'accepted'
  },
}

const rules = {
  consoleHost: 'console.example',
  tunnelDomain: 'tunnel.example',
  allowIpLiteralConsole: true,
}

const authorityTarget: FuzzTarget = {
  name: 'authorities',
  make: maker(
    [
      'nas.tunnel.example',
      'NAS.tunnel.example.:8080',
      '[::1]:80',
      '127.0.0.1:65535',
      'console.example',
    ],
    [...addressWords, '.tunnel.example', 'console.example'],
  ),
  check(input) {
    const text = input.toString('latin1')
    const authority = parseAuthority(text)
    // Router and guard ask hosts that never went through the parser (SNI) as well.
    const kind = readHostTarget(text, rules)
    if (kind.kind === 'name') ok(/^[a-z0-9-]+\.tunnel\.example$/.test(kind.host))
    if (authority === null) return 'refused'
    deepStrictEqual(parseAuthority(authority.text), authority)
    strictEqual(hostOf(authority.text), authority.host.replace(/^\[|\]$/g, ''))
    // It refuses odd numbers and Punycode; both lead nowhere here.
    if (!URL.canParse(`http://${authority.text}/`)) {
      ok(kind.kind !== 'console')
      return 'accepted'
    }
    const url = new URL(`http://${authority.text}/`)
    ok(url.username === '' && url.pathname === '/' && url.search === '' && url.hash === '')
    return 'accepted'
  },
}

const cookieWords = [';', '=', ' ', '\t', '"', ',', 'hp_gate', 'hp_gate=', '__Host-', '\xff', '; ']

const cookieTarget: FuzzTarget = {
  name: 'cookies',
  make: maker(
    ['hp_gate=a.b; lang=zh', 'a=b; hp_gate=1; hp_gate=2; hp_gate=3; hp_gate=4; hp_gate=5', 'x'],
    cookieWords,
  ),
  check(input) {
    const header = input.toString('latin1')
    const values = readCookies(header, 'hp_gate')
    ok(values.length <= 32)
    for (const value of values) {
      ok(!value.includes(';') && value === value.trim())
      ok(header.includes(value))
    }
    return values.length === 0 ? 'refused' : 'accepted'
  },
}

const queryTarget: FuzzTarget = {
  name: 'ticket-queries',
  make: maker(
    [
      `/?${ticketParameter}=a.b`,
      `/p?a=1&${ticketParameter}=x&b=2`,
      `/p?${ticketParameter}&${ticketParameter}=1`,
      '/p?a=1&&b',
    ],
    [
      '&',
      '?',
      '=',
      '#',
      '%26',
      ticketParameter,
      `${ticketParameter}=`,
      `&${ticketParameter}=`,
      '/',
    ],
  ),
  check(input) {
    const path = input.toString('latin1')
    const { cleanPath, ticket } = takeTicket(path)
    deepStrictEqual(takeTicket(cleanPath), { cleanPath, ticket: null })
    const others = (text: string) =>
      text
        .slice(text.indexOf('?') + 1 || text.length)
        .split('&')
        .filter(part => part !== '' && part.split('=', 1)[0] !== ticketParameter)
    deepStrictEqual(others(cleanPath), others(path))
    if (ticket === null) strictEqual(cleanPath, path)
    return ticket === null ? 'refused' : 'accepted'
  },
}

const key = Buffer.alloc(32, 7)
const now = 1_800_000_000_000
const pass = { host: 'nas.example', record: 7, user: 3, session: 's', expiresAt: now + 1000 }
const ticket: GateTicket = { ...pass, n: 'n' }
const sealed = [
  sealTicket(key, ticket),
  sealPass(key, pass),
  sealTicket(Buffer.alloc(32, 8), ticket),
]

const tokenTarget: FuzzTarget = {
  name: 'gate-tokens',
  make: maker(sealed, ['.', '=', '-', '_', '+', '/', 'A', 'A'.repeat(2100), ' ', '\0', ...sealed]),
  check(input) {
    const text = input.toString('latin1')
    const [openedTicket, openedPass] = [unsealTicket(key, text, now), unsealPass(key, text, now)]
    // Whatever opens says what was sealed: nothing in it can be changed, and neither stands in for the other.
    if (openedTicket !== null) deepStrictEqual(openedTicket, ticket)
    if (openedPass !== null) deepStrictEqual(openedPass, pass)
    ok(openedTicket === null || openedPass === null)
    return openedTicket === null && openedPass === null ? 'refused' : 'accepted'
  },
}

/** Readers of short texts from visitors and users. */
export const textTargets: readonly FuzzTarget[] = [
  targetTarget,
  authorityTarget,
  cookieTarget,
  queryTarget,
  tokenTarget,
]
