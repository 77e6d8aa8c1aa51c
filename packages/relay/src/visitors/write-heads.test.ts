import { expect, test } from 'vitest'
import { createHeadRewrite } from './head-rewrite.ts'
import { doorLimits } from './limits.ts'
import { parseRequestHead } from './request-head.ts'
import { parseResponseHead } from './response-head.ts'
import { writeRequestHead } from './write-request.ts'
import { writeResponseHead } from './write-response.ts'

const rewriteTo = (hostHeader: string, target = 'http://192.168.1.2:8080') =>
  createHeadRewrite({ hostHeader, target })

/** The request lines that the target sees. */
function request(lines: string, hostHeader = 'target', line = 'GET / HTTP/1.1'): string[] {
  const head = parseRequestHead(`${line}\r\nHost: nas.example\r\n${lines}`, doorLimits)
  const facts = { chain: '203.0.113.9', address: '203.0.113.9', isSecure: true, flow: 'f-1' }
  return writeRequestHead(head, rewriteTo(hostHeader), facts).split('\r\n')
}

/** The response lines that the visitor sees. */
function response(lines: string, hostHeader = 'target', target?: string, status = '200 OK') {
  const head = parseResponseHead(`HTTP/1.1 ${status}\r\n${lines}`, 'GET', doorLimits)
  const place = { origin: 'https://nas.example', host: 'nas.example', isOurs: false }
  return writeResponseHead(head, rewriteTo(hostHeader, target), place, null).split('\r\n')
}

const forwarded = [
  'X-Forwarded-For: 203.0.113.9',
  'X-Real-IP: 203.0.113.9',
  'X-Forwarded-Proto: https',
  'X-Forwarded-Host: nas.example',
  'X-Forwarded-Port: 443',
  'X-Request-Id: f-1',
  'CDN-Loop: homeport',
  '',
  '',
]

test('writes Host and the forwarded lines of its own', () => {
  expect(request('')).toEqual(['GET / HTTP/1.1', 'Host: 192.168.1.2:8080', ...forwarded])
  expect(request('', 'public')[1]).toBe('Host: nas.example')
  expect(request('', 'router.lan')[1]).toBe('Host: router.lan')
})

test('leaves out the default port of the target as its own clients do', () => {
  expect(rewriteTo('target', 'http://192.168.1.2:80').host).toBe('192.168.1.2')
  expect(rewriteTo('target', 'https://[fd00::1]:443').host).toBe('[fd00::1]')
  expect(rewriteTo('target', 'https://192.168.1.2:80').host).toBe('192.168.1.2:80')
})

test.each([
  'X-Forwarded-For: 1.2.3.4',
  'x-forwarded-for: 1.2.3.4',
  'X_Forwarded_For: 1.2.3.4',
  'X-Forwarded-User: root',
  'Forwarded: for=1.2.3.4',
  'X-Real-IP: 1.2.3.4',
  'X-Client-IP: 1.2.3.4',
  'True-Client-IP: 1.2.3.4',
  'CF-Connecting-IP: 1.2.3.4',
  'X-Homeport-User: root',
  'Remote-User: root',
  'Remote_User: root',
  'X-Remote-User: root',
  'X-Auth-Request-Email: root@example',
  'X-Original-URL: /admin',
  'X-Rewrite-URL: /admin',
  'X-Request-Id: mine',
  'Proxy: http://evil',
  'Connection: keep-alive',
  'Connection: x-hop\r\nX-Hop: 1',
  'Keep-Alive: timeout=5',
  'Proxy-Connection: keep-alive',
  'TE: trailers',
  'Upgrade: websocket',
  'Cookie: hp_gate=a',
  'Cookie: __Host-hp_gate=a; hp_nonce=b; __Host-hp_nonce=c',
])('drops %j', line => {
  expect(request(`${line}\r\n`)).toEqual(['GET / HTTP/1.1', 'Host: 192.168.1.2:8080', ...forwarded])
})

test.each([
  ['Cookie: a=b; hp_gate=x;c=d', 'Cookie: a=b;c=d'],
  ['Cookie: hp_gate=x; a=b', 'Cookie: a=b'],
  ['cookie: a=hp_gate; hp_gateway=1', 'cookie: a=hp_gate; hp_gateway=1'],
  ['Origin: https://nas.example', 'origin: http://192.168.1.2:8080'],
  ['Origin: https://nas.example.evil', 'Origin: https://nas.example.evil'],
  ['Origin: null', 'Origin: null'],
  ['Referer: https://NAS.example/a?b', 'referer: http://192.168.1.2:8080/a?b'],
  ['Destination: https://nas.example/dav/b', 'destination: http://192.168.1.2:8080/dav/b'],
  ['Referer: https://other.example/', 'Referer: https://other.example/'],
  ['Authorization: Basic eA==', 'Authorization: Basic eA=='],
  ['Expect: 100-continue', 'Expect: 100-continue'],
  ['X-Odd:   caf\xe9', 'X-Odd:   caf\xe9'],
])('carries %j as %j', (line, expected) => {
  expect(request(`${line}\r\n`)[2]).toBe(expected)
})

test('leaves Origin alone where the target sees the public host', () => {
  expect(request('Origin: https://nas.example\r\n', 'public')[2]).toBe(
    'Origin: https://nas.example',
  )
})

test.each([
  ['/a?__hp_ticket=x', '/a'],
  ['/a?b=c&__hp_ticket=x&d=e%20', '/a?b=c&d=e%20'],
  ['/a?b=__hp_ticket', '/a?b=__hp_ticket'],
])('cuts the ticket from %j', (target, expected) => {
  expect(request('', 'target', `GET ${target} HTTP/1.1`)[0]).toBe(`GET ${expected} HTTP/1.1`)
})

test('asks for a WebSocket in its own words and closes after a 1.0 request', () => {
  const lines = request('Connection: Upgrade, X-Hop\r\nUpgrade: WebSocket\r\nX-Hop: 1\r\n')
  expect(lines.slice(2, 4)).toEqual(['Connection: Upgrade', 'Upgrade: websocket'])
  expect(lines.join()).not.toContain('X-Hop')
  expect(request('', 'target', 'GET / HTTP/1.0')[2]).toBe('Connection: close')
})

test.each([
  ['Location: http://192.168.1.2:8080/login', 'location: https://nas.example/login'],
  ['Location: HTTP://192.168.1.2:8080', 'location: https://nas.example'],
  ['Location: //192.168.1.2:8080/x', 'location: https://nas.example/x'],
  ['Location: /login', 'Location: /login'],
  ['Location: http://192.168.1.2:80801/', 'Location: http://192.168.1.2:80801/'],
  ['Location: http://192.168.1.2:8080.evil/', 'Location: http://192.168.1.2:8080.evil/'],
  ['Location: http://192.168.1.2:8080@evil/', 'Location: http://192.168.1.2:8080@evil/'],
  ['Location: http://192.168.1.3:8080/', 'Location: http://192.168.1.3:8080/'],
  ['Content-Location: http://192.168.1.2:8080/a', 'content-location: https://nas.example/a'],
  ['Refresh: 5; URL=http://192.168.1.2:8080/b', 'refresh: 5; URL=https://nas.example/b'],
  ['Refresh: 5', 'Refresh: 5'],
  [
    'Access-Control-Allow-Origin: http://192.168.1.2:8080',
    'access-control-allow-origin: https://nas.example',
  ],
  ['Access-Control-Allow-Origin: *', 'Access-Control-Allow-Origin: *'],
  ['Set-Cookie: a=b; Path=/; Domain=192.168.1.2; HttpOnly', 'Set-Cookie: a=b; Path=/; HttpOnly'],
  ['Set-Cookie: a=b; domain=.example', 'Set-Cookie: a=b'],
  ['Set-Cookie: a=b; Domain = .EXAMPLE', 'Set-Cookie: a=b'],
  ['Set-Cookie: a=b; Domain=.nas.example', 'Set-Cookie: a=b; Domain=.nas.example'],
  ['Set-Cookie: a=b', 'Set-Cookie: a=b'],
])('answers %j as %j', (line, expected) => {
  expect(response(`${line}\r\n`)[1]).toBe(expected)
})

test.each([
  'Set-Cookie: hp_gate=x; Path=/',
  'Set-Cookie: __Host-hp_gate=x; Secure; Path=/',
  'Set-Cookie: hp_nonce=x',
  'Set-Cookie:  __Host-hp_nonce =x',
  'Connection: keep-alive',
  'Connection: X-Hop\r\nX-Hop: 1',
  'Keep-Alive: timeout=5',
  'Alt-Svc: h3=":443"',
])('drops %j from an answer', line => {
  expect(response(`${line}\r\n`)).toEqual(['HTTP/1.1 200 OK', '', ''])
})

test('translates the default port of a target in both spellings', () => {
  const target = 'https://192.168.1.2:443'
  for (const origin of ['https://192.168.1.2', 'https://192.168.1.2:443']) {
    expect(response(`Location: ${origin}/x\r\n`, 'target', target)[1]).toBe(
      'location: https://nas.example/x',
    )
  }
})

test('brings the scheme up where the target was asked under the public host', () => {
  expect(response('Location: http://nas.example/x\r\n', 'public')[1]).toBe(
    'location: https://nas.example/x',
  )
})

test('takes lengths off 204, which must have none', () => {
  expect(response('Content-Length: 0\r\n', 'target', undefined, '204 No Content')).toEqual([
    'HTTP/1.1 204 No Content',
    '',
    '',
  ])
})

test.each([
  ['Transfer-Encoding:\tchunked', 'Transfer-Encoding: chunked'],
  ['transfer-encoding: CHUNKED', 'Transfer-Encoding: chunked'],
  ['Content-Length:\t007 ', 'Content-Length: 7'],
  ['Content-Length: 0', 'Content-Length: 0'],
])('writes the framing %j in the one spelling that every target reads', (sent, written) => {
  const lines = request(`${sent}\r\n`, 'target', 'POST / HTTP/1.1')
  expect(lines).toEqual(['POST / HTTP/1.1', 'Host: 192.168.1.2:8080', written, ...forwarded])
})

test('carries no framing in a spelling that some targets read and the door does not', () => {
  const sent = 'Content-Length: 3\r\nTransfer_Encoding: chunked\r\nContent_Length: 9\r\n'
  const lines = request(sent, 'target', 'POST / HTTP/1.1')
  expect(lines.slice(2)).toEqual(['Content-Length: 3', ...forwarded])
})

test.each([
  ['"cookies"', []],
  ['"cache", "cookies", "storage"', ['Clear-Site-Data: "cache", "storage"']],
  ['"*"', ['Clear-Site-Data: "cache", "storage", "executionContexts"']],
  ['"cache"', ['Clear-Site-Data: "cache"']],
])('lets no target clear the cookies of its siblings: %s', (value, lines) => {
  expect(response(`Clear-Site-Data: ${value}\r\n`)).toEqual(['HTTP/1.1 200 OK', ...lines, '', ''])
})
