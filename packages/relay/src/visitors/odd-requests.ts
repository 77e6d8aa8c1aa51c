/** Test data: requests as bytes that programs are known to read differently. */

/** A request that the door carries on, and how it must be understood. */
export interface CarriedRequest {
  readonly name: string
  readonly bytes: string
  /** Method, target, Host and body length that the target must see. */
  readonly seen: readonly [method: string, target: string, host: string, bodyBytes: number]
  /** Other readers that refuse it outright: stricter than the door is no disagreement on its meaning. */
  readonly refusedBy?: readonly ('nginx' | 'haproxy')[]
}

/** Requests on one connection, sent in one piece, and what the target must see of them in turn. */
export interface CarriedSequence {
  readonly name: string
  readonly bytes: string
  readonly seen: readonly CarriedRequest['seen'][]
}

/** A request that the door refuses, with the reason that its log names. */
export type RefusedRequest = readonly [name: string, bytes: string, reason: string]

const host = 'Host: nas.example\r\n'
const get = (target: string, lines = host) => `GET ${target} HTTP/1.1\r\n${lines}\r\n`
const post = (lines: string, body: string) => `POST /p HTTP/1.1\r\n${host}${lines}\r\n${body}`
const chunks = (body: string, lines = 'Transfer-Encoding: chunked\r\n') => post(lines, body)

const carry = (
  name: string,
  bytes: string,
  seen: Partial<{ method: string; target: string; host: string; body: number }> = {},
  refusedBy: CarriedRequest['refusedBy'] = [],
): CarriedRequest => {
  const { method = 'GET', target = '/', host = 'nas.example', body = 0 } = seen
  return { name, bytes, seen: [method, target, host, body], refusedBy }
}

const target = (path: string, refusedBy: CarriedRequest['refusedBy'] = []) =>
  carry(`target ${path}`, get(path), { target: path }, refusedBy)

const te = 'Transfer-Encoding: chunked\r\n'
const websocket =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='

const header = (name: string, line: string) => carry(name, get('/', `${host}${line}\r\n`))

const upload = (
  name: string,
  bytes: string,
  body: number,
  refusedBy: CarriedRequest['refusedBy'] = [],
) => carry(name, bytes, { method: 'POST', target: '/p', body }, refusedBy)

/** What the door carries. */
export const carriedRequests: readonly CarriedRequest[] = [
  carry('a plain request', get('/')),
  carry('one empty line before', `\r\n${get('/')}`),
  carry('HEAD', get('/').replace('GET', 'HEAD'), { method: 'HEAD' }),
  carry('a WebDAV verb', get('/').replace('GET', 'PROPFIND'), { method: 'PROPFIND' }),
  carry('HTTP/1.0 with Host', get('/').replace('1.1', '1.0')),
  carry('OPTIONS *', get('*').replace('GET', 'OPTIONS'), { method: 'OPTIONS', target: '*' }, [
    'nginx',
  ]),
  ...['/a?b?c', '/a//b', '/a/./b/../c', '/a;b=c', '/a%2fb%20', '/a"b|c{d}', '/a\\b^c`d', '/?'].map(
    path => target(path),
  ),
  target('/../a', ['nginx']),
  target('/a%00', ['nginx']),
  target('/%', ['nginx']),
  carry('absolute-form', get('http://nas.example/x?y'), { target: '/x?y' }),
  carry('absolute-form without a path', get('http://nas.example'), {}),
  carry('absolute-form with a query alone', get('http://nas.example?y'), { target: '/?y' }, [
    'haproxy',
  ]),
  carry('absolute-form in capitals', get('HTTP://NAS.example/x'), { target: '/x' }),
  carry('Host with a port', get('/', 'Host: nas.example:8080\r\n'), { host: 'nas.example:8080' }),
  carry('Host in capitals', get('/', 'HOST: NAS.Example\r\n')),
  carry('Host with a final dot', get('/', 'Host: nas.example.\r\n'), { host: 'nas.example.' }),
  carry('Host as IPv6', get('/', 'Host: [::1]:80\r\n'), { host: '[::1]:80' }),
  header('no space behind the colon', 'X-A:b'),
  header('tabs around a value', 'X-A:\tb\t'),
  header('an empty value', 'X-A:'),
  header('bytes above ASCII in a value', 'X-A: caf\xe9'),
  header('an underscore in a name', 'Content_Length: 5'),
  header('odd token bytes in a name', "X!#$%&'*+.^`|~: b"),
  header('a name that only begins like a length', 'Content-Lengths: 5'),
  header('a line of 7 KiB', `X-A: ${'a'.repeat(7 * 1024)}`),
  header('fields of this hop', 'Connection: keep-alive, X-Hop\r\nX-Hop: 1'),
  header('an upgrade that Connection does not name', 'Upgrade: h2c'),
  header('90 lines', Array.from({ length: 90 }, (_, at) => `X-${at}: a`).join('\r\n')),
  carry('GET with a body', `${get('/', `${host}Content-Length: 3\r\n`)}abc`, { body: 3 }),
  upload('Content-Length', post('Content-Length: 5\r\n', 'hello'), 5),
  upload('Content-Length of nothing', post('Content-Length: 0\r\n', ''), 0),
  upload('Content-Length with zeros before', post('Content-Length: 0005\r\n', 'hello'), 5),
  upload('Content-Length in white space', post('Content-Length: \t 5 \r\n', 'hello'), 5, ['nginx']),
  upload('a body that looks like a request', post('Content-Length: 37\r\n', get('/')), 37),
  upload('an expectation', post('Expect: 100-continue\r\nContent-Length: 2\r\n', 'ab'), 2),
  upload('chunks', chunks('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n'), 5),
  upload('chunked in capitals', chunks('1\r\na\r\n0\r\n\r\n', 'TRANSFER-ENCODING: Chunked\r\n'), 1),
  upload(
    'chunk sizes in both cases, with zeros',
    chunks(`00a\r\n${'a'.repeat(10)}\r\nB\r\n${'b'.repeat(11)}\r\n000\r\n\r\n`),
    21,
  ),
  upload('chunk extensions', chunks('1;a=b;c="d e"\r\na\r\n0;e\r\n\r\n'), 1),
  upload('a trailer', chunks('1\r\na\r\n0\r\nX-Sum: 1\r\n\r\n'), 1),
  upload('a chunk that looks like an end', chunks('5\r\n0\r\n\r\n\r\n0\r\n\r\n'), 5),

  // RFC 9110 §10.1.1: "The Expect field value is case-insensitive." "A client MUST NOT generate a 100-continue expectation in a request
  // that does not include content", but a server that waits for some would wait for ever.
  upload(
    'an expectation in capitals',
    post('EXPECT: 100-CONTINUE\r\nContent-Length: 2\r\n', 'ab'),
    2,
  ),
  upload(
    'an expectation of chunks',
    chunks('2\r\nab\r\n0\r\n\r\n', 'Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n'),
    2,
  ),
  header('an expectation without a body', 'Expect: 100-continue'),
  // "A server that receives a 100-continue expectation in an HTTP/1.0 request MUST ignore that expectation."
  upload(
    'an expectation of HTTP/1.0',
    post('Expect: 100-continue\r\nContent-Length: 2\r\n', 'ab').replace('1.1', '1.0'),
    2,
  ),

  // RFC 9112 §7.1.2: "A recipient that removes the chunked coding from a message MAY selectively retain or discard the received
  // trailer fields"; none of them may change where the message ends.
  upload('an announced trailer', chunks('0\r\nX-Sum: 1\r\n\r\n', `Trailer: X-Sum\r\n${te}`), 0),
  upload('two trailers', chunks('1\r\na\r\n0\r\nX-Sum: 1\r\nX-Other:\r\n\r\n'), 1),
  upload('a trailer that looks like a head', chunks('0\r\nGET: / HTTP/1.1\r\n\r\n'), 0),

  // RFC 9112 §9.3: a 1.0 connection ends with its answer unless both sides say otherwise, and this one does not.
  upload('HTTP/1.0 with a body', post('Content-Length: 3\r\n', 'abc').replace('1.1', '1.0'), 3),
  carry('HTTP/1.0 in absolute-form', get('http://nas.example/x').replace('1.1', '1.0'), {
    target: '/x',
  }),

  // RFC 9110 §7.8: "A server MAY ignore a received Upgrade header field if it wishes to continue using the current protocol",
  // and "MUST ignore an Upgrade header field that is received in an HTTP/1.0 request".
  header('a WebSocket that the target does not want', websocket),
  carry('a WebSocket of HTTP/1.0', get('/', host + websocket.concat('\r\n')).replace('1.1', '1.0')),
]

const getSeen = (path: string) => ['GET', path, 'nas.example', 0] as const
const postSeen = (bytes: number) => ['POST', '/p', 'nas.example', bytes] as const

/** RFC 9112 §9.3.2: "A server ... MUST send the corresponding responses in the same order that the requests were received." */
export const carriedSequences: readonly CarriedSequence[] = [
  {
    name: 'twenty requests',
    bytes: Array.from({ length: 20 }, (_, at) => get(`/${at}`)).join(''),
    seen: Array.from({ length: 20 }, (_, at) => getSeen(`/${at}`)),
  },
  {
    name: 'bodies of every framing',
    bytes:
      post('Content-Length: 5\r\n', 'hello') +
      chunks('3\r\nabc\r\n0\r\n\r\n') +
      get('/a') +
      chunks('0\r\nX-Sum: 1\r\n\r\n') +
      post('Content-Length: 0\r\n', '') +
      get('/b'),
    seen: [postSeen(5), postSeen(3), getSeen('/a'), postSeen(0), postSeen(0), getSeen('/b')],
  },
  {
    // RFC 9112 §2.2: "a server that is expecting to receive and parse a request-line SHOULD ignore at least one empty line".
    name: 'an empty line behind a body',
    bytes: `${post('Content-Length: 2\r\n', 'ab')}\r\n${get('/a')}`,
    seen: [postSeen(2), getSeen('/a')],
  },
  {
    name: 'expectations that are not waited for',
    bytes:
      post('Expect: 100-continue\r\nContent-Length: 2\r\n', 'ab') +
      chunks('1\r\na\r\n0\r\n\r\n', `Expect: 100-continue\r\n${te}`) +
      get('/a'),
    seen: [postSeen(2), postSeen(1), getSeen('/a')],
  },
  {
    name: 'HEAD, whose answers have no body, between others',
    bytes: get('/a') + get('/b').replace('GET', 'HEAD') + get('/c'),
    seen: [getSeen('/a'), ['HEAD', '/b', 'nas.example', 0], getSeen('/c')],
  },
  {
    name: 'bodies that look like requests and chunks',
    bytes:
      post('Content-Length: 37\r\n', get('/')) +
      post('Content-Length: 5\r\n', '0\r\n\r\n') +
      get('/a'),
    seen: [postSeen(37), postSeen(5), getSeen('/a')],
  },
]

const ambiguousLengths = 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'

/** What the door refuses. */
export const refusedRequests: readonly RefusedRequest[] = [
  ['lines that end with LF alone', `GET / HTTP/1.1\nHost: nas.example\n\n`, 'odd byte in a head'],
  ['one line that ends with LF alone', get('/', `${host}X-A: b\nX-B: c\r\n`), 'odd byte in a head'],
  ['a bare CR in a value', get('/', `${host}X-A: b\rX-B: c\r\n`), 'odd byte in a head'],
  ['NUL in a value', get('/', `${host}X-A: b\0c\r\n`), 'odd byte in a head'],
  ['a vertical tab in a value', get('/', `${host}X-A: b\x0bc\r\n`), 'odd byte in a head'],
  ['two empty lines before', `\r\n\r\n${get('/')}`, 'not the start of a head'],
  ['white space before', ` ${get('/')}`, 'not the start of a head'],
  ['TLS on the plain port', '\x16\x03\x01\x02\0\x01\0\x01', 'not the start of a head'],
  ['two spaces in the request line', get(' /'), 'request line'],
  ['tabs in the request line', 'GET\t/\tHTTP/1.1\r\n\r\n', 'request line'],
  ['a space behind the version', `GET / HTTP/1.1 \r\n${host}\r\n`, 'request line'],
  ['a space in the target', get('/a b'), 'request line'],
  ['no version', `GET /\r\n${host}\r\n`, 'request line'],
  ['a version in small letters', `GET / http/1.1\r\n${host}\r\n`, 'request line'],
  ['HTTP/1.2', get('/').replace('1.1', '1.2'), 'HTTP version'],
  ['HTTP/2.0', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 'HTTP version'],
  ['a fragment', get('/a#b'), 'request line'],
  ['bytes above ASCII in the target', get('/caf\xe9'), 'request line'],
  ['CONNECT', get('nas.example:443').replace('GET', 'CONNECT'), 'CONNECT'],
  ['CONNECT in origin-form', get('/').replace('GET', 'CONNECT'), 'CONNECT'],
  [
    'CONNECT with a body',
    get('nas.example:22', `${host}Content-Length: 2\r\n`).replace('GET', 'CONNECT'),
    'CONNECT',
  ],
  ['CONNECT of HTTP/1.0', get('a:1').replace('GET', 'CONNECT').replace('1.1', '1.0'), 'CONNECT'],
  // RFC 9112 §3.2.3: authority-form "is only used for CONNECT requests", and the method is case-sensitive.
  ['connect', get('nas.example:22').replace('GET', 'connect'), 'form of the request target'],
  ['TRACE', get('/').replace('GET', 'TRACE'), 'TRACE'],
  ['* with GET', get('*'), '* for another method than OPTIONS'],
  ['authority-form with GET', get('nas.example'), 'form of the request target'],
  ['absolute-form of another host', get('http://cam.example/'), 'absolute-form and Host differ'],
  ['absolute-form with credentials', get('http://a@nas.example/'), 'absolute-form and Host differ'],
  ['another scheme', get('ftp://nas.example/'), 'form of the request target'],
  ['no Host', get('/', 'X-A: b\r\n'), 'no valid Host'],
  ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 'no valid Host'],
  ['HTTP/0.9', 'GET /\r\n\r\n', 'request line'],
  ['an empty Host', get('/', 'Host:\r\n'), 'no valid Host'],
  ['two Host lines', get('/', `${host}Host: cam.example\r\n`), 'several Host lines'],
  ['a list as Host', get('/', 'Host: nas.example, cam.example\r\n'), 'no valid Host'],
  ['credentials in Host', get('/', 'Host: a@nas.example\r\n'), 'no valid Host'],
  ['a path in Host', get('/', 'Host: nas.example/cam\r\n'), 'no valid Host'],
  ['port 0', get('/', 'Host: nas.example:0\r\n'), 'no valid Host'],
  ['a space before the colon', get('/', `${host}X-A : b\r\n`), 'header line without a name'],
  ['a folded line', get('/', `${host}X-A: b\r\n c\r\n`), 'header line without a name'],
  ['a line without a colon', get('/', `${host}X-A\r\n`), 'header line without a name'],
  ['a line without a name', get('/', `${host}: b\r\n`), 'header line without a name'],
  ['both lengths', post(ambiguousLengths, '0\r\n\r\n'), 'both lengths'],
  [
    'two lengths that differ',
    post('Content-Length: 5\r\nContent-Length: 6\r\n', 'hello'),
    'several Content-Length lines',
  ],
  [
    'two lengths that agree',
    post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'),
    'several Content-Length lines',
  ],
  ...['5, 5', '+5', '-1', '0x5', '5.0', '5e0', '', '5 5', '9999999999999999'].map(
    (value): RefusedRequest => [
      `Content-Length "${value}"`,
      post(`Content-Length: ${value}\r\n`, 'hello'),
      'odd Content-Length',
    ],
  ),
  ...[
    'gzip, chunked',
    'chunked, identity',
    'xchunked',
    '"chunked"',
    'identity',
    'chunked;q=1',
    '',
    'chunked,',
  ].map(
    (value): RefusedRequest => [
      `Transfer-Encoding "${value}"`,
      chunks('0\r\n\r\n', `Transfer-Encoding: ${value}\r\n`),
      'a transfer coding other than chunked',
    ],
  ),
  [
    'Transfer-Encoding twice',
    chunks('0\r\n\r\n', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n'),
    'several Transfer-Encoding lines',
  ],
  [
    'chunks in HTTP/1.0',
    chunks('0\r\n\r\n').replace('1.1', '1.0'),
    'Transfer-Encoding on HTTP/1.0',
  ],
  [
    'Connection that names a length',
    post('Connection: Content-Length\r\nContent-Length: 5\r\n', 'hello'),
    'Connection names an end-to-end field',
  ],
  [
    'Connection that names the chain',
    get('/', `${host}Connection: X-Forwarded-For\r\n`),
    'Connection names an end-to-end field',
  ],
  ['an unknown expectation', post('Expect: tea\r\nContent-Length: 2\r\n', 'ab'), 'Expect'],
  ['a chunk size without digits', chunks(';\r\n'), 'no chunk size'],
  ['a chunk size with 0x', chunks('0x1\r\na\r\n0\r\n\r\n'), 'junk after a chunk size'],
  ['a space behind a chunk size', chunks('1 \r\na\r\n0\r\n\r\n'), 'junk after a chunk size'],
  [
    'a chunk size of 14 digits',
    chunks('00000000000001\r\na\r\n0\r\n\r\n'),
    'chunk size over the limit',
  ],
  ['LF alone behind a chunk size', chunks('1\na\r\n0\r\n\r\n'), 'junk after a chunk size'],
  [
    'LF alone in a chunk extension',
    chunks('1;a\nb\r\na\r\n0\r\n\r\n'),
    'odd byte in a chunk extension',
  ],
  ['a chunk longer than its size', chunks('1\r\nab\r\n0\r\n\r\n'), 'chunk longer than its size'],
  ['LF alone behind a chunk', chunks('1\r\na\n0\r\n\r\n'), 'chunk longer than its size'],
  ['two expectations', get('/', `${host}Expect: 100-continue, 100-continue\r\n`), 'Expect'],
  // RFC 9110 §6.5.1: fields of "message framing, routing, request modifiers, authentication" must not be sent as trailers.
  ...[
    'Content-Length: 5',
    'Transfer-Encoding: chunked',
    'Host: cam.example',
    'Authorization: Basic YTpi',
    'Cookie: a=b',
    'Expect: 100-continue',
    'X-Forwarded-For: 10.0.0.1',
    'X_Forwarded_For: 10.0.0.1',
  ].map(
    (line): RefusedRequest => [
      `trailer "${line}"`,
      chunks(`0\r\n${line}\r\n\r\n`),
      'forbidden trailer',
    ],
  ),
  ['a folded trailer', chunks('0\r\nX-A: b\r\n c\r\n\r\n'), 'header line without a name'],
  ['a trailer with LF alone', chunks('0\r\nX-A: b\nX-B: c\r\n\r\n'), 'odd byte in a head'],
  ['a trailer without a colon', chunks('0\r\nX-A\r\n\r\n'), 'header line without a name'],
]
