import { expect, test } from 'vitest'
import { createHeadReader } from './head-reader.ts'
import { doorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'
import { parseRequestHead, type RequestHead } from './request-head.ts'

const host = 'Host: nas.localhost\r\n'

/** Reads a head that comes in the given pieces; null while it is incomplete. */
function read(...pieces: (string | Buffer)[]): RequestHead | null {
  const reader = createHeadReader(doorLimits, 'request')
  for (const piece of pieces) {
    const chunk = typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece
    const text = reader.read(chunk)
    if (text !== null) return parseRequestHead(text, doorLimits)
  }
  return null
}

const refusal = (text: string): string => {
  try {
    read(text)
  } catch (error) {
    if (error instanceof Refusal) return error.code
    throw error
  }
  return 'accepted'
}

const get = (lines: string) => `GET / HTTP/1.1\r\n${host}${lines}\r\n`

const refused: [why: string, code: string, text: string][] = [
  ['both lengths', 'bad_request', get('Content-Length: 3\r\nTransfer-Encoding: chunked\r\n')],
  ['two lengths', 'bad_request', get('Content-Length: 3\r\nContent-Length: 4\r\n')],
  ['the same length twice', 'bad_request', get('Content-Length: 3\r\nContent-Length: 3\r\n')],
  ['a list of lengths', 'bad_request', get('Content-Length: 3, 3\r\n')],
  ['a signed length', 'bad_request', get('Content-Length: +3\r\n')],
  ['a negative length', 'bad_request', get('Content-Length: -1\r\n')],
  ['a hex length', 'bad_request', get('Content-Length: 0x3\r\n')],
  ['an empty length', 'bad_request', get('Content-Length:\r\n')],
  ['a length over 2^53', 'bad_request', get('Content-Length: 9999999999999999\r\n')],
  ['gzip, chunked', 'bad_request', get('Transfer-Encoding: gzip, chunked\r\n')],
  ['chunked twice', 'bad_request', get('Transfer-Encoding: chunked, chunked\r\n')],
  ['two codings', 'bad_request', get('Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n')],
  ['xchunked', 'bad_request', get('Transfer-Encoding: xchunked\r\n')],
  ['identity', 'bad_request', get('Transfer-Encoding: identity\r\n')],
  ['a vertical tab before chunked', 'bad_request', get('Transfer-Encoding:\x0bchunked\r\n')],
  ['a no-break space before chunked', 'bad_request', get('Transfer-Encoding: \xa0chunked\r\n')],
  [
    'a coding on 1.0',
    'bad_request',
    `POST / HTTP/1.0\r\n${host}Transfer-Encoding: chunked\r\n\r\n`,
  ],
  ['a bare LF', 'bad_request', `GET / HTTP/1.1\r\n${host}A: b\nC: d\r\n\r\n`],
  ['a bare LF after the request line', 'bad_request', `GET / HTTP/1.1\n${host}\r\n`],
  ['LFs alone', 'bad_request', 'GET / HTTP/1.1\nHost: nas.localhost\n\n'],
  ['a bare LF as the whole of a line', 'bad_request', get('A: b\r\n\nC: d\r\n')],
  ['NUL behind 60 KiB', 'bad_request', get(`${'A: b\r\n'.repeat(10_000)}A: \0\r\n`)],
  ['a bare CR', 'bad_request', get('A: b\rC: d\r\n')],
  ['CR CR LF', 'bad_request', get('A: b\r\r\n')],
  ['a folded line', 'bad_request', get('A: b\r\n c\r\n')],
  ['a folded line with a tab', 'bad_request', get('A: b\r\n\tc: d\r\n')],
  ['a folded first line', 'bad_request', `GET / HTTP/1.1\r\n ${host}\r\n`],
  ['a space before the colon', 'bad_request', get('Content-Length : 3\r\n')],
  ['a tab before the colon', 'bad_request', get('Content-Length\t: 3\r\n')],
  ['an empty name', 'bad_request', get(': b\r\n')],
  ['no colon', 'bad_request', get('Ab\r\n')],
  ['a name with a quote', 'bad_request', get('A"b: c\r\n')],
  ['a name with an odd byte', 'bad_request', get('A\xe4: b\r\n')],
  ['NUL in a name', 'bad_request', get('A\0: b\r\n')],
  ['NUL in a value', 'bad_request', get('A: b\0\r\n')],
  ['DEL in a value', 'bad_request', get('A: b\x7f\r\n')],
  ['escape in a value', 'bad_request', get('A: \x1b[2J\r\n')],
  ['no Host', 'bad_request', 'GET / HTTP/1.1\r\n\r\n'],
  ['no Host on 1.0', 'bad_request', 'GET / HTTP/1.0\r\n\r\n'],
  ['two Hosts', 'bad_request', get('Host: nas.localhost\r\n')],
  ['an empty Host', 'bad_request', 'GET / HTTP/1.1\r\nHost:\r\n\r\n'],
  ['credentials in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: good@evil\r\n\r\n'],
  ['a path in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas/x\r\n\r\n'],
  ['a list of Hosts', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas, evil\r\n\r\n'],
  ['percent codes in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: n%61s\r\n\r\n'],
  ['an empty label in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: a..b\r\n\r\n'],
  ['port 0 in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas:0\r\n\r\n'],
  ['port 65536 in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas:65536\r\n\r\n'],
  ['an empty port in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas:\r\n\r\n'],
  ['letters as port in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: nas:80a\r\n\r\n'],
  ['no IPv6 address in Host', 'bad_request', 'GET / HTTP/1.1\r\nHost: [::g]\r\n\r\n'],
  ['an IPv6 address without brackets', 'bad_request', 'GET / HTTP/1.1\r\nHost: ::1\r\n\r\n'],
  ['another authority than Host', 'bad_request', `GET http://evil/ HTTP/1.1\r\n${host}\r\n`],
  ['another port than Host', 'bad_request', `GET http://nas.localhost:81/ HTTP/1.1\r\n${host}\r\n`],
  [
    'credentials in an absolute-form',
    'bad_request',
    `GET http://a@nas.localhost/ HTTP/1.1\r\n${host}\r\n`,
  ],
  ['another scheme', 'bad_request', `GET ftp://nas.localhost/ HTTP/1.1\r\n${host}\r\n`],
  ['authority-form', 'bad_request', `GET nas.localhost:80 HTTP/1.1\r\n${host}\r\n`],
  ['CONNECT', 'method_refused', 'CONNECT nas:22 HTTP/1.1\r\nHost: nas:22\r\n\r\n'],
  ['TRACE', 'method_refused', `TRACE / HTTP/1.1\r\n${host}\r\n`],
  ['* for GET', 'bad_request', `GET * HTTP/1.1\r\n${host}\r\n`],
  ['a fragment', 'bad_request', `GET /a#b HTTP/1.1\r\n${host}\r\n`],
  ['a raw byte in the target', 'bad_request', `GET /\xe4 HTTP/1.1\r\n${host}\r\n`],
  ['a tab in the request line', 'bad_request', `GET\t/ HTTP/1.1\r\n${host}\r\n`],
  ['two spaces in the request line', 'bad_request', `GET  / HTTP/1.1\r\n${host}\r\n`],
  ['a space in the target', 'bad_request', `GET /a b HTTP/1.1\r\n${host}\r\n`],
  ['a space behind the version', 'bad_request', `GET / HTTP/1.1 \r\n${host}\r\n`],
  ['a lower-case version', 'bad_request', `GET / http/1.1\r\n${host}\r\n`],
  ['no version', 'bad_request', `GET /\r\n${host}\r\n`],
  ['an odd method', 'bad_request', `G(T / HTTP/1.1\r\n${host}\r\n`],
  ['HTTP/1.2', 'version_unsupported', `GET / HTTP/1.2\r\n${host}\r\n`],
  ['HTTP/0.9', 'version_unsupported', `GET / HTTP/0.9\r\n${host}\r\n`],
  ['the preface of HTTP/2', 'version_unsupported', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['two empty lines first', 'bad_request', `\r\n\r\nGET / HTTP/1.1\r\n${host}\r\n`],
  ['a space first', 'bad_request', ` GET / HTTP/1.1\r\n${host}\r\n`],
  ['a TLS hello', 'bad_request', '\x16\x03\x01\x02\x00\x01'],
  ['a long target', 'target_too_long', `GET /${'a'.repeat(8200)} HTTP/1.1\r\n${host}\r\n`],
  ['a long target without an end', 'target_too_long', `GET /${'a'.repeat(8300)}`],
  ['a long line', 'head_too_large', get(`A: ${'b'.repeat(8200)}\r\n`)],
  ['a long head', 'head_too_large', get(`A: ${'b'.repeat(8000)}\r\n`.repeat(9))],
  [
    'a long head without an end',
    'head_too_large',
    `GET / HTTP/1.1\r\n${'A: b\r\n'.repeat(12_000)}`,
  ],
  ['many lines', 'head_too_large', get('A: b\r\n'.repeat(100))],
  ['another expectation', 'expectation_failed', get('Expect: 200-ok\r\n')],
  ['Connection: host', 'bad_request', get('Connection: host\r\n')],
  ['Connection: content-length', 'bad_request', get('Connection: close, Content-Length\r\n')],
  ['Connection: transfer-encoding', 'bad_request', get('Connection: Transfer-Encoding\r\n')],
  ['Connection: x-forwarded-for', 'bad_request', get('Connection: X-Forwarded-For\r\n')],
  ['Connection: x_forwarded_for', 'bad_request', get('Connection: X_Forwarded_For\r\n')],
  ['Connection: cookie', 'bad_request', get('Connection: keep-alive, cookie\r\n')],
  ['Connection: authorization', 'bad_request', get('Connection: authorization\r\n')],
  ['an odd Connection', 'bad_request', get('Connection: a b\r\n')],
]

test.each(refused)('refuses %s', (_, code, text) => {
  expect(refusal(text)).toBe(code)
})

test.each(refused)('refuses %s byte by byte with the same code', (_, code, text) => {
  const bytes = [...Buffer.from(text, 'latin1')].map(byte => Buffer.from([byte]))
  let seen = 'accepted'
  try {
    read(...bytes)
  } catch (error) {
    seen = (error as Refusal).code
  }
  expect(seen).toBe(code)
})

test('reads what a browser sends', () => {
  const head = read(
    'GET /a/b?c=%20d HTTP/1.1\r\nHost: NAS.example:8443\r\nAccept:text/html\r\nX-Odd:  \t caf\xe9 \t\r\nCookie: a=b\r\n\r\n',
  )
  expect(head).toMatchObject({
    method: 'GET',
    target: '/a/b?c=%20d',
    minorVersion: 1,
    authority: { host: 'nas.example', port: 8443, text: 'nas.example:8443' },
    framing: { kind: 'none' },
    isPersistent: true,
    upgrade: null,
  })
  expect(head?.fields.map(field => [field.name, field.value])).toEqual([
    ['host', 'NAS.example:8443'],
    ['accept', 'text/html'],
    ['x-odd', 'caf\xe9'],
    ['cookie', 'a=b'],
  ])
})

test.each([
  ['GET / HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n', { authority: { host: '[::1]', port: 8080 } }],
  ['GET / HTTP/1.1\r\nHost: nas.localhost.\r\n\r\n', { authority: { host: 'nas.localhost' } }],
  ['OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n', { target: '*' }],
  ['GET http://A/x?y HTTP/1.1\r\nHost: a\r\n\r\n', { target: '/x?y' }],
  ['GET http://a?y HTTP/1.1\r\nHost: a\r\n\r\n', { target: '/?y' }],
  ['GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n', { isPersistent: false }],
  ['GET / HTTP/1.1\r\nHost: a\r\nConnection: Close\r\n\r\n', { isPersistent: false }],
  ['PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n', { framing: { bytes: 7 } }],
  [
    'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n',
    { framing: { kind: 'chunked' } },
  ],
  [
    'GET / HTTP/1.1\r\nHost: a\r\nConnection: x, Upgrade\r\nUpgrade: WebSocket\r\n\r\n',
    { upgrade: 'websocket' },
  ],
  ['GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n', { upgrade: null }],
  ['\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n', { method: 'GET' }],
  ['PROPFIND / HTTP/1.1\r\nHost: a\r\n\r\n', { method: 'PROPFIND' }],
])('reads %j', (text, expected) => {
  expect(read(text)).toMatchObject(expected)
})

test('reads the same head however it is split', () => {
  const text = `\r\nPOST /a?b HTTP/1.1\r\n${host}Content-Length: 4\r\nX: ${'y'.repeat(300)}\r\n\r\n`
  const whole = read(text)
  for (let at = 1; at < text.length; at++) {
    expect(read(text.slice(0, at), text.slice(at))).toEqual(whole)
  }
  expect(read(...text)).toEqual(whole)
})

test('gives back what follows a head', () => {
  const reader = createHeadReader(doorLimits, 'request')
  expect(reader.read(Buffer.from('GET / HTTP/1.1\r\nHo'))).toBeNull()
  expect(reader.isStarted()).toBe(true)
  expect(reader.read(Buffer.from('st: a\r\n\r\nGET /next'))).toBe('GET / HTTP/1.1\r\nHost: a\r\n')
  expect(reader.isStarted()).toBe(false)
  expect(reader.takeRest()?.toString()).toBe('GET /next')
  expect(reader.takeRest()).toBeNull()
})
