import { expect, test } from 'vitest'
import { doorLimits } from './limits.ts'
import { createProxyTrust, describeOrigin, type Peer } from './proxy-trust.ts'
import { parseRequestHead } from './request-head.ts'

const isTrusted = createProxyTrust(['10.0.0.0/8', '192.0.2.7', 'fd00::/8'])

const originOf = (address: string, lines: string, isSecure = false) => {
  const peer: Peer = {
    address,
    port: 1,
    isSecure,
    serverName: null,
    isTrusted: isTrusted(address),
  }
  return describeOrigin(
    peer,
    parseRequestHead(`GET / HTTP/1.1\r\nHost: a\r\n${lines}`, doorLimits),
    isTrusted,
  )
}

test.each([
  ['10.1.2.3', true],
  ['192.0.2.7', true],
  ['192.0.2.8', false],
  ['::ffff:10.1.2.3', true],
  ['fd12::1', true],
  ['2001:db8::1', false],
  ['', false],
  ['0x0a000001', false],
])('trusts %s: %s', (address, expected) => {
  expect(isTrusted(address)).toBe(expected)
})

test('refuses a block that is none', () => {
  expect(() => createProxyTrust(['10.0.0.0/8', 'proxy.lan'])).toThrow()
})

test.each([
  [
    'an untrusted peer is the visitor',
    '203.0.113.9',
    'X-Forwarded-For: 1.1.1.1\r\n',
    '203.0.113.9',
    '203.0.113.9',
  ],
  [
    'a trusted peer vouches for one',
    '10.0.0.1',
    'X-Forwarded-For: 203.0.113.9\r\n',
    '203.0.113.9',
    '203.0.113.9, 10.0.0.1',
  ],
  [
    'what stands before it is a claim',
    '10.0.0.1',
    'X-Forwarded-For: 1.1.1.1, 203.0.113.9\r\n',
    '203.0.113.9',
    '203.0.113.9, 10.0.0.1',
  ],
  [
    'trusted hops are passed over',
    '10.0.0.1',
    'X-Forwarded-For: 1.1.1.1, 203.0.113.9, 10.0.0.2\r\n',
    '203.0.113.9',
    '203.0.113.9, 10.0.0.1',
  ],
  [
    'lines are one list',
    '10.0.0.1',
    'X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 10.0.0.2\r\n',
    '203.0.113.9',
    '203.0.113.9, 10.0.0.1',
  ],
  [
    'IPv6 is read',
    'fd00::1',
    'X-Forwarded-For: 2001:db8::9\r\n',
    '2001:db8::9',
    '2001:db8::9, fd00::1',
  ],
  ['no address ends the chain', '10.0.0.1', 'X-Forwarded-For: unknown\r\n', '10.0.0.1', '10.0.0.1'],
  ['no line leaves the peer', '10.0.0.1', '', '10.0.0.1', '10.0.0.1'],
])('%s', (_, peer, lines, address, chain) => {
  expect(originOf(peer, lines)).toMatchObject({ address, chain })
})

test('believes the scheme of a trusted proxy alone', () => {
  expect(originOf('10.0.0.1', 'X-Forwarded-Proto: https\r\n').isSecure).toBe(true)
  expect(originOf('10.0.0.1', 'X-Forwarded-Proto: http\r\n', true).isSecure).toBe(false)
  expect(originOf('203.0.113.9', 'X-Forwarded-Proto: https\r\n').isSecure).toBe(false)
})
