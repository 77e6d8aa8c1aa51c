import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { ask, createCleanups, listen, startTarget, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, httpTarget, target } = cleanups

/** What a second parser, node's own, reads when bytes go to it directly. */
async function nodeServer() {
  const seen: unknown[] = []
  const server = createServer((request, response) => {
    let size = 0
    request.on('data', chunk => {
      size += chunk.length
    })
    request.on('end', () => {
      seen.push([request.method, request.url, request.headers.host, size])
      response.end('ok')
    })
  })
  const port = await listen(server)
  cleanups.add(() => server.closeAllConnections())
  cleanups.add(() => server.close())
  return { port, seen }
}

const close = 'Connection: close\r\n'
const valid = [
  `GET / HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
  `GET /a/../b?c=d&e=%00 HTTP/1.1\r\nHost: a.b:81\r\nX:\r\nY: \t z \r\n${close}\r\n`,
  `GET /${'x'.repeat(8000)} HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n${close}\r\nhello`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n${close}\r\n`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${close}\r\n5;x="y"\r\nhello\r\n0\r\nZ: 1\r\n\r\n`,
  `POST / HTTP/1.1\r\nhOsT: a\r\ntRANSFER-eNCODING: CHUNKED\r\n${close}\r\nA\r\n0123456789\r\n0\r\n\r\n`,
  `DELETE /x HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n${close}\r\nabc`,
  `OPTIONS * HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
  `GET / HTTP/1.1\r\nHost: a\r\nX-Obs: caf\xe9\r\n${close}\r\n`,
  `\r\nGET / HTTP/1.1\r\nHost: a\r\n${close}\r\n`,
]

test.each(valid)('reads %j as another parser does', async text => {
  const direct = await nodeServer()
  const behind = await nodeServer()
  const { port } = await door(behind.port)
  expect(await ask(direct.port, Buffer.from(text, 'latin1'))).toContain('HTTP/1.1 200 OK')
  expect(await ask(port, Buffer.from(text, 'latin1'))).toContain('HTTP/1.1 200 OK')
  expect(direct.seen).toHaveLength(1)
  expect(behind.seen).toEqual(direct.seen)
})

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
const post = (lines: string, body: string) => `POST / HTTP/1.1\r\nHost: a\r\n${lines}\r\n${body}`

test.each([
  ['CL.TE', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${smuggled}`)],
  [
    'TE.CL',
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `2e\r\n${smuggled}\r\n0\r\n\r\n`),
  ],
  [
    'TE.TE',
    post('Transfer-Encoding: chunked\r\nTransfer-encoding: cow\r\n', `0\r\n\r\n${smuggled}`),
  ],
  [
    'a coding hidden by a tab',
    post('Transfer-Encoding:\tchunked, identity\r\n', `0\r\n\r\n${smuggled}`),
  ],
  ['a coding hidden by a fold', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${smuggled}`)],
  [
    'a coding with a space before the colon',
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`),
  ],
  ['CL.CL', post('Content-Length: 0\r\nContent-Length: 44\r\n', smuggled)],
  [
    'a length hidden by Connection',
    post('Connection: Content-Length\r\nContent-Length: 44\r\n', smuggled),
  ],
  ['a bare LF in a value', post(`X: y\nContent-Length: 0\r\n`, smuggled)],
  ['a bare CR in a value', post(`X: y\rContent-Length: 0\r\n`, smuggled)],
  ['a chunk size with junk', post('Transfer-Encoding: chunked\r\n', `0 \r\n\r\n${smuggled}`)],
  ['a chunk size with a bare LF', post('Transfer-Encoding: chunked\r\n', `0\n\r\n${smuggled}`)],
  [
    'an extension with a bare LF',
    post('Transfer-Encoding: chunked\r\n', `2;\nxx\r\n0\r\n\r\n${smuggled}`),
  ],
  [
    'h2c',
    `GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nContent-Length: 0\r\n\r\nPRI * HTTP/2.0\r\n\r\n`,
  ],
])('smuggles nothing past the door by %s', async (_, text) => {
  const requests: string[] = []
  const port = await httpTarget((request, response) => {
    requests.push(request.url ?? '')
    request.resume()
    response.end('ok')
  })
  const { port: at } = await door(port)
  const answer = await ask(at, text)
  expect(answer).toMatch(/^HTTP\/1\.1 (400|505) /)
  expect(requests).not.toContain('/smuggled')
  expect(answer.match(/HTTP\/1\.1 \d/g)).toHaveLength(text.includes('h2c') ? 2 : 1)
})

test('the rest of a body is never read as a request', async () => {
  const { port } = await target(socket => {
    socket.once('data', () =>
      socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'),
    )
  })
  const decided: string[] = []
  const { port: at } = await door(head => {
    decided.push(head.target)
    return { kind: 'page', code: 'not_signed_in' }
  })
  await ask(at, post('Content-Length: 100\r\n', smuggled))
  expect(decided).toEqual(['/'])
  expect(port).toBeGreaterThan(0)
})

/** mulberry32: a small generator, so that a failing run can be repeated from its seed. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const splices = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  '\xa0',
  'chunked',
  'Content-Length: 1\r\n',
  '\r\n\r\n',
  'Host: b\r\n',
  '0',
  'f',
  ';',
  '\x7f',
  'Transfer-Encoding: chunked\r\n',
]

function mutate(text: string, random: () => number): string {
  let mutated = text
  for (let count = 1 + Math.floor(random() * 3); count > 0; count--) {
    const at = Math.floor(random() * mutated.length)
    const cut = random() < 0.5 ? 0 : 1 + Math.floor(random() * 4)
    const splice = splices[Math.floor(random() * splices.length)] ?? ''
    mutated = mutated.slice(0, at) + (random() < 0.2 ? '' : splice) + mutated.slice(at + cut)
  }
  return mutated
}

test('mutated requests are answered or refused, and none is seen twice by another parser', async () => {
  const random = createRandom(20_261_120)
  let requests = 0
  const port = await httpTarget((request, response) => {
    requests += 1
    request.on('error', () => undefined).resume()
    response.end('ok')
  })
  const { port: at, faults, door: opened } = await door(port, { limits: { lingerMs: 1 } })
  const broken: string[] = []
  for (let round = 0; round < 600; round++) {
    const text = mutate(valid[round % valid.length] ?? '', random)
    const visitor = visit(at)
    visitor.send(Buffer.from(text, 'latin1'))
    // The half-close ends what waits for more bytes.
    visitor.socket.end()
    const answer = (await visitor.closed()).text
    if (answer !== '' && !answer.startsWith('HTTP/1.1 ')) broken.push(text)
  }
  expect(broken).toEqual([])
  expect(faults).toEqual([])
  expect(opened.stats().refused).toBeGreaterThan(100)
  // Every request that the target saw was read as one by the door: nothing hid inside another.
  expect(requests).toBeGreaterThan(20)
  expect(requests).toBeLessThanOrEqual(opened.stats().requests)
  await expect.poll(() => opened.stats().connections).toBe(0)
})

test('mutated answers reach the visitor as answers, pages or cuts', async () => {
  const random = createRandom(7)
  const answers = [
    'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n',
    'HTTP/1.0 200\r\nSet-Cookie: a=b; Domain=c\r\nLocation: http://a/\r\n\r\nuntil the end',
  ]
  let round = 0
  const started = await startTarget(socket => {
    socket.once('data', () => {
      const text = mutate(answers[round++ % answers.length] ?? '', random)
      socket.end(Buffer.from(text, 'latin1'))
    })
  })
  cleanups.add(started.close)
  const { port: at, faults } = await door(started.port)
  for (let turn = 0; turn < 300; turn++) {
    const visitor = visit(at)
    visitor.send(`GET / HTTP/1.1\r\nHost: a\r\n${close}\r\n`)
    const { text, isCut } = await visitor.closed()
    expect(isCut || text.startsWith('HTTP/1.1 ')).toBe(true)
  }
  expect(faults).toEqual([])
  expect(round).toBe(300)
})
