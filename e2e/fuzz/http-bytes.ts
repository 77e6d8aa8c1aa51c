import { carriedRequests, refusedRequests } from '../../packages/relay/src/visitors/odd-requests.ts'
import { below, mutate, noise, pick, type Random } from './bytes.ts'

/** Pieces of HTTP/1 that readers are known to see differently. */
const words = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\0',
    ' ',
    '\t',
    ':',
    ',',
    ';',
    '"',
    '\xa0',
    '\x7f',
    '\xff',
    '#',
    '%00',
  ],
  ...['0', '7', 'f', '-1', '+3', '0x', '00000000000003', '9007199254740993', 'ffffffffffffffff'],
  ...['chunked', 'identity', 'gzip, chunked', 'close', 'keep-alive', 'Upgrade', 'websocket', 'h2c'],
  ...[
    'Host: b\r\n',
    'Host:\r\n',
    'host : b\r\n',
    'Content-Length: 1\r\n',
    'Content-Length: 01\r\n',
  ],
  ...[
    'Transfer-Encoding: chunked\r\n',
    'Transfer_Encoding: chunked\r\n',
    'Transfer-Encoding:\tchunked \r\n',
  ],
  ...[
    'Connection: close\r\n',
    'Connection: host, cookie\r\n',
    'Expect: 100-continue\r\n',
    ' folded\r\n',
  ],
  ...[
    'X-A: b\r\n',
    'Trailer: x\r\n',
    'GET /x HTTP/1.1\r\nHost: a\r\n\r\n',
    'HTTP/1.0',
    'HTTP/1.1',
    'HTTP/2.0',
  ],
  ...[
    'http://a/',
    'http://b@a/',
    '*',
    '//',
    '/../',
    '0\r\n\r\n',
    '5\r\nhello\r\n',
    '5;x=y\r\nhello\r\n',
  ],
]

const requests = [
  ...carriedRequests.map(({ bytes }) => bytes),
  ...refusedRequests.map(([, bytes]) => bytes),
  'POST /p HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
  'PUT /p?q=1 HTTP/1.1\r\nHost: a:8080\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nX-T: 1\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET http://a/x HTTP/1.1\r\nHost: a\r\nCookie: hp_gate=1; a=b\r\nOrigin: http://a\r\nReferer: http://a/y\r\n\r\n',
  'GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'GET / HTTP/1.0\r\nHost: a\r\n\r\n',
].map(text => Buffer.from(text, 'latin1'))

const responses = [
  'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
  'HTTP/1.0 200\r\nSet-Cookie: a=b; Domain=c\r\nLocation: http://a/\r\n\r\nuntil the end',
  'HTTP/1.1 204 No Content\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
].map(text => Buffer.from(text, 'latin1'))

const names = [
  'Accept',
  'X-A',
  'Cookie',
  'Host',
  'Connection',
  'Content-Length',
  'TE',
  'Via',
  'Range',
  '_',
  "!#$%&'*+-.^`|~",
]
const values = [
  '',
  'a',
  'a, b',
  '0',
  '5',
  '"q"',
  ' padded ',
  '\xe9\xff',
  'x'.repeat(300),
  'chunked',
  'close',
]

/** A head put together from fields at random: mutation alone seldom makes many lines. */
function composed(random: Random, firstLine: string): Buffer {
  let text = `${firstLine}\r\n`
  if (random() < 0.9) text += 'Host: nas.example\r\n'
  for (let count = below(random, random() < 0.05 ? 130 : 6); count > 0; count -= 1) {
    text += `${pick(random, names)}:${pick(random, ['', ' ', '\t', '  '])}${pick(random, values)}\r\n`
  }
  const filler = random() < 0.02 ? `X-Long: ${'y'.repeat(below(random, 70_000))}\r\n` : ''
  return Buffer.from(`${text}${filler}\r\n`, 'latin1')
}

/** Bytes of a visitor: requests as they are, changed, put together, or noise. */
export function makeRequests(random: Random): Buffer {
  const kind = random()
  if (kind < 0.03) return noise(random, below(random, 200))
  if (kind < 0.25) {
    const method = pick(random, [
      'GET',
      'HEAD',
      'POST',
      'DELETE',
      'PROPFIND',
      'OPTIONS',
      'get',
      'CONNECT',
    ])
    const target = pick(random, [
      '/',
      '/a?b=c',
      '*',
      'http://nas.example/',
      `/${'z'.repeat(below(random, 9000))}`,
    ])
    return mutate(composed(random, `${method} ${target} HTTP/1.1`), random, words)
  }
  return mutate(pick(random, requests), random, words)
}

/** Bytes of a target: answers as they are, changed, put together, or noise. */
export function makeResponses(random: Random): Buffer {
  const kind = random()
  if (kind < 0.03) return noise(random, below(random, 200))
  if (kind < 0.25) {
    const status = pick(random, [
      '200 OK',
      '200',
      '302 ',
      '404 Not Found',
      '099 x',
      '999 x',
      '2000',
    ])
    return mutate(composed(random, `HTTP/1.1 ${status}`), random, words)
  }
  return mutate(pick(random, responses), random, words)
}

const chunkedBodies = [
  '5\r\nhello\r\n0\r\n\r\n',
  'A;name=value\r\n0123456789\r\n1\r\nx\r\n0\r\nX-Sum: 1\r\n\r\n',
  '0\r\n\r\n',
  '000a\r\n0123456789\r\n00\r\n\r\n',
].map(text => Buffer.from(text, 'latin1'))

/** The body of a chunked request and what follows it. */
export const makeChunks = (random: Random): Buffer =>
  mutate(pick(random, chunkedBodies), random, words)
