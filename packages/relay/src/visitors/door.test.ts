import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { ask, createCleanups, passageTo, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, target, httpTarget } = cleanups

/** A target that answers every complete head in `text` with what `answer` says. */
const answering = (answer: (head: string, count: number) => string) => (socket: Socket) => {
  let text = ''
  let count = 0
  socket.on('data', chunk => {
    text += chunk.toString('latin1')
    for (let end = text.indexOf('\r\n\r\n'); end !== -1; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end + 4)
      text = text.slice(end + 4)
      socket.write(answer(head, ++count), 'latin1')
    }
  })
}

const ok = (body: string) => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`
const get = (path: string, more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: nas.localhost\r\n${more}\r\n`
const last = 'Connection: close\r\n'

test('carries a request and its answer', async () => {
  const port = await httpTarget((request, response) => {
    response.setHeader('X-Seen', `${request.method} ${request.url} ${request.headers.host}`)
    response.end('hello')
  })
  const { port: at, records } = await door(port)
  const text = await ask(at, get('/a?b=c', last))
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(text).toContain('X-Seen: GET /a?b=c nas.localhost\r\n')
  expect(text).toMatch(/\r\nConnection: close\r\n\r\nhello$/)
  expect(records).toMatchObject([{ end: 'done' }])
  expect(records[0]?.bytesDown).toBeGreaterThan(100)
})

test('tells the target the visitor of the connection, whatever the request claims', async () => {
  const port = await httpTarget((request, response) => {
    response.end(JSON.stringify([request.headers['x-forwarded-for'], request.headers['x-real-ip']]))
  })
  const spoof = 'X-Forwarded-For: 1.2.3.4\r\nX-Real-IP: 1.2.3.4\r\n'
  const direct = await door(port)
  expect(await ask(direct.port, get('/', spoof + last))).toContain('["127.0.0.1","127.0.0.1"]')
  const behind = await door(port, { trustedProxies: ['127.0.0.0/8'] })
  expect(
    await ask(behind.port, get('/', `X-Forwarded-For: 6.6.6.6, 1.2.3.4\r\n${last}`)),
  ).toContain('["1.2.3.4, 127.0.0.1","1.2.3.4"]')
})

test('carries to a server on a Unix socket, as the console is reached', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'door-'))
  cleanups.add(() => rm(folder, { recursive: true }))
  const path = join(folder, 's')
  const server = createServer((request, response) => response.end(request.headers.host))
  await new Promise<void>(resolve => server.listen(path, resolve))
  cleanups.add(() => server.close())
  cleanups.add(() => server.closeAllConnections())
  const upstream = {
    open: async () => {
      const socket = connect(path)
      await once(socket, 'connect')
      return socket
    },
  }
  const { port } = await door(() => passageTo(1, { upstream }))
  expect(await ask(port, get('/', last))).toContain('nas.localhost')
})

describe('one connection', () => {
  test('serves pipelined requests in order and one at a time', async () => {
    let open = 0
    const port = await httpTarget((request, response) => {
      open += 1
      setImmediate(() => {
        response.end(`${request.url}:${open}`)
        open -= 1
      })
    })
    const { port: at } = await door(port)
    const text = await ask(at, [1, 2, 3, 4].map(n => get(`/${n}`, n === 4 ? last : '')).join(''))
    const bodies = text.match(/\/\d:\d/g)
    expect(bodies).toEqual(['/1:1', '/2:1', '/3:1', '/4:1'])
  })

  test('keeps the stream for the same key and opens another for another', async () => {
    const serve = (name: string) => answering((_, count) => ok(`${name}${count}`))
    const one = await target(serve('one'))
    const two = await target(serve('two'))
    const { port } = await door(head =>
      passageTo(head.authority.host === 'one' ? one.port : two.port),
    )
    const visitor = visit(port)
    for (const [host, body] of [
      ['one', 'one1'],
      ['one', 'one2'],
      ['two', 'two1'],
      ['one', 'one1'],
    ]) {
      const before = visitor.received().length
      visitor.send(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
      await visitor.until(`${visitor.received().slice(0, before)}${ok(body ?? '')}`)
    }
    visitor.socket.end()
    expect((await visitor.closed()).isCut).toBe(false)
  })

  test('never shares a stream between visitors', async () => {
    const { port, sockets } = await target(answering((_, count) => ok(`n${count}`)))
    const { port: at } = await door(port)
    const first = visit(at)
    first.send(get('/'))
    await first.until('n1')
    const second = visit(at)
    second.send(get('/'))
    await second.until('n1')
    expect(sockets.size).toBe(2)
  })

  test('decides anew for every request', async () => {
    const { port } = await target(answering(() => ok('secret')))
    let isOpen = true
    const { port: at } = await door(() =>
      isOpen ? passageTo(port) : { kind: 'page', code: 'foreign_origin' },
    )
    const visitor = visit(at)
    visitor.send(get('/'))
    await visitor.until('secret')
    isOpen = false
    visitor.send(get('/'))
    expect(await visitor.until('foreign_origin')).toContain('HTTP/1.1 403 Forbidden')
    isOpen = true
    visitor.send(get('/'))
    await visitor.until('"}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret')
  })

  test('asks again on a fresh stream where a kept one dies without a word', async () => {
    let streams = 0
    const { port } = await target(socket => {
      const isFirst = ++streams === 1
      answering((_, count) => {
        if (isFirst && count === 2) socket.destroy()
        return ok(`s${streams}n${count}`)
      })(socket)
    })
    const { port: at } = await door(port)
    const visitor = visit(at)
    visitor.send(get('/'))
    await visitor.until('s1n1')
    visitor.send(get('/'))
    await visitor.until('s2n1')
  })

  test('opens a fresh stream where the kept one was closed by the target', async () => {
    const { port, sockets } = await target(answering(() => ok('hi')))
    const { port: at } = await door(port)
    const visitor = visit(at)
    visitor.send(get('/1'))
    await visitor.until('hi')
    for (const socket of sockets) {
      const closed = new Promise(resolve => socket.once('close', resolve))
      socket.end()
      await closed
    }
    visitor.send(`POST /2 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`)
    await visitor.until(`hi${ok('hi')}`)
  })

  test('destroys a kept stream on which the target speaks unasked', async () => {
    const { port, sockets } = await target(answering(() => ok('hi')))
    const { port: at } = await door(port)
    const visitor = visit(at)
    visitor.send(get('/'))
    await visitor.until('hi')
    const closed = Promise.all(
      [...sockets].map(
        socket => new Promise(resolve => socket.once('end', resolve).once('close', resolve)),
      ),
    )
    for (const socket of sockets) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil')
    await closed
    visitor.send(get('/', last))
    expect((await visitor.closed()).text).not.toContain('evil')
  })

  test('never reads the next answer from bytes that one answer left behind', async () => {
    let streams = 0
    const { port } = await target(socket => {
      streams += 1
      answering(() => `${ok('hi')}${ok('evil')}`)(socket)
    })
    const { port: at } = await door(port)
    const text = await ask(at, get('/1') + get('/2', last))
    expect(text).not.toContain('evil')
    expect(text.match(/hi/g)).toHaveLength(2)
    expect(streams).toBe(2)
  })
})

describe('answers', () => {
  const carried = async (answer: string, request = get('/', last), ends = true) => {
    const { port } = await target(socket => {
      socket.once('data', () =>
        ends ? socket.end(answer, 'latin1') : socket.write(answer, 'latin1'),
      )
    })
    const { port: at } = await door(port)
    const visitor = visit(at)
    visitor.send(request)
    return visitor.closed()
  }

  test.each([
    [
      'HEAD with a length',
      'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n',
    ],
    [
      '304 with a length',
      get('/', last),
      'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\nETag: "a"\r\n\r\n',
    ],
    ['204', get('/', last), 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['an empty body', get('/', last), 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('end %s at the head', async (_, request, answer) => {
    const { text, isCut } = await carried(answer, request, false)
    expect(text).toBe(answer.replace(/\r\n\r\n$/, '\r\nConnection: close\r\n\r\n'))
    expect(isCut).toBe(false)
  })

  test('end a body without a length with the connection', async () => {
    const { text, isCut } = await carried('HTTP/1.1 200 OK\r\n\r\nall of it', get('/'))
    expect(text).toBe('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it')
    expect(isCut).toBe(false)
  })

  test('carry chunks and trailers unchanged', async () => {
    const body = '5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n'
    const head = 'HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n'
    const { text } = await carried(`${head}\r\n${body}`, get('/', last), false)
    expect(text).toBe(`${head}Connection: close\r\n\r\n${body}`)
  })

  test('pass 100 and 103 on before the final one', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n'
    const { text } = await carried(`HTTP/1.1 100 Continue\r\n\r\n${hints}${ok('x')}`)
    expect(text).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 103 .*\r\n.*\r\n\r\nHTTP\/1\.1 200 /,
    )
  })

  test('are whole for a 1.0 visitor, who is sent neither 1xx nor chunks', async () => {
    const port = await httpTarget((request, response) => {
      response.write(`asked as ${request.httpVersion}`)
      response.end(', in two parts')
    })
    const { port: at } = await door(port)
    const text = await ask(at, 'GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n')
    expect(text.toLowerCase()).not.toContain('chunked')
    expect(text).toMatch(/\r\nConnection: close\r\n[\s\S]*asked as 1\.0, in two parts$/)
  })

  test.each([
    ['no HTTP', 'SSH-2.0-dropbear\r\n\r\n'],
    ['HTTP/0.9', '<html>hello</html>\r\n\r\n'],
    ['a bare LF', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nhi'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 2\r\n\r\nhi'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\nhi'],
    [
      'both lengths',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nhi',
    ],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nhi'],
    ['another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nhi'],
    ['chunks on 1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    [
      'a 101 nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n',
    ],
    ['endless 1xx', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(17)],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a head over the limit', `HTTP/1.1 200 OK\r\n${'A: b\r\n'.repeat(12_000)}\r\n`],
  ])('that are broken (%s) become a page', async (_, answer) => {
    const { text } = await carried(answer)
    expect(text).toMatch(/HTTP\/1\.1 502 Bad Gateway\r\n/)
    expect(text).toContain('"code":"bad_response"')
  })

  test('that never come become a page', async () => {
    const { text } = await carried('')
    expect(text).toContain('HTTP/1.1 502 Bad Gateway\r\n')
    expect(text).toContain('"code":"target_failed"')
  })

  test.each([
    ['a length', 'Content-Length: 100\r\n\r\npart'],
    ['chunks', 'Transfer-Encoding: chunked\r\n\r\n64\r\npart'],
    ['broken chunks', 'Transfer-Encoding: chunked\r\n\r\n4\r\npart!\r\n'],
  ])('with %s that break off cut the connection', async (_, rest) => {
    const { text, isCut } = await carried(`HTTP/1.1 200 OK\r\n${rest}`)
    expect(text).not.toContain('502')
    expect(isCut).toBe(true)
  })
})

describe('pages', () => {
  test('answer a request whose target cannot be reached', async () => {
    const closed = await target(() => undefined)
    closed.close()
    const { port, records } = await door(closed.port)
    const text = await ask(port, get('/', `Accept: text/html\r\nAccept-Language: en\r\n${last}`))
    expect(text).toContain('HTTP/1.1 502 Bad Gateway\r\n')
    expect(text).toContain('The target failed')
    expect(text).toContain("frame-ancestors 'none'")
    expect(records).toMatchObject([{ end: 'refused' }])
  })

  test('answer where a decision fails, and the fault is logged', async () => {
    const { port, faults } = await door(() => Promise.reject(new Error('down')))
    expect(await ask(port, get('/', last))).toContain('"code":"internal"')
    expect(faults).toEqual(['a decision failed'])
  })

  test('have no body for HEAD', async () => {
    const { port } = await door(() => ({ kind: 'page', code: 'unknown_name' }))
    const text = await ask(port, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(text).toMatch(/Content-Length: [1-9]/)
    expect(text).toMatch(/\r\n\r\n$/)
  })

  test('never let a header value begin another header', async () => {
    const headers = [['Location', 'http://a/\r\nSet-Cookie: evil=1']] as const
    const { port } = await door(() => ({
      kind: 'answer',
      response: { status: 302, headers, body: '' },
    }))
    const text = await ask(port, get('/', last))
    expect(text).not.toContain('Set-Cookie')
    expect(text).toContain('"code":"internal"')
  })

  test('keep the connection between requests without a body', async () => {
    const { port } = await door(() => ({ kind: 'page', code: 'device_offline' }))
    const visitor = visit(port)
    visitor.send(get('/'))
    await visitor.until('device_offline')
    visitor.send(get('/', last))
    expect((await visitor.closed()).text.match(/HTTP\/1\.1 503/g)).toHaveLength(2)
  })
})

test('hands a socket over with its head and what came behind it', async () => {
  const { port, door: opened } = await door(() => ({
    kind: 'takeover',
    take(socket, head, rest) {
      socket.on('data', chunk => socket.write(chunk))
      socket.on('end', () => socket.end())
      socket.write(`${head.upgrade}:${rest.toString()}`)
      socket.resume()
    },
  }))
  const visitor = visit(port)
  visitor.send(`${get('/', 'Connection: Upgrade\r\nUpgrade: homeport/1\r\n')}first`)
  await visitor.until('homeport/1:first')
  visitor.send('echo')
  await visitor.until('echo')
  expect(opened.stats().connections).toBe(0)
  visitor.socket.end()
  expect((await visitor.closed()).isCut).toBe(false)
})
