import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { createCleanups, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, target, httpTarget } = cleanups

const mebibyte = 1024 * 1024
const block = Buffer.alloc(mebibyte, 'homeport')

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes of buffers that are in use. */
const bufferBytes = () => {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

/** What is held may grow by the buffers of a few sockets, not by the body. V8 frees buffers in the background, hence the poll. */
const expectFlat = (before: number) =>
  expect.poll(() => bufferBytes() - before, { timeout: 5_000 }).toBeLessThan(16 * mebibyte)

async function writeBlocks(to: NodeJS.WritableStream, count: number) {
  for (let sent = 0; sent < count; sent++) {
    if (!to.write(block)) await new Promise(resolve => to.once('drain', resolve))
  }
}

const digestOf = (count: number) => {
  const hash = createHash('sha1')
  for (let at = 0; at < count; at++) hash.update(block)
  return hash.digest('hex')
}

test.each(['sized', 'chunked'])('carries a large %s upload in flat memory', async kind => {
  const port = await httpTarget(async (request, response) => {
    const hash = createHash('sha1')
    for await (const chunk of request) hash.update(chunk as Buffer)
    response.end(hash.digest('hex'))
  })
  const { port: at } = await door(port)
  const before = bufferBytes()
  const headers = kind === 'sized' ? { 'Content-Length': 128 * mebibyte } : {}
  const upload = httpRequest({ port: at, method: 'PUT', headers, host: '127.0.0.1' })
  const answer = new Promise<string>((resolve, reject) => {
    upload.on('error', reject).on('response', async response => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
  })
  await writeBlocks(upload, 64)
  await expectFlat(before)
  await writeBlocks(upload, 64)
  upload.end()
  expect(await answer).toBe(digestOf(128))
})

test.each(['sized', 'chunked'])('carries a large %s download in flat memory', async kind => {
  const port = await httpTarget(async (_, response) => {
    if (kind === 'sized') response.setHeader('Content-Length', 128 * mebibyte)
    await writeBlocks(response, 128)
    response.end()
  })
  const { port: at } = await door(port)
  const before = bufferBytes()
  const hash = createHash('sha1')
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    httpRequest({ port: at, host: '127.0.0.1' }, resolve).on('error', reject).end()
  })
  let received = 0
  for await (const chunk of response) {
    hash.update(chunk as Buffer)
    const wasFirstHalf = received < 64 * mebibyte
    received += (chunk as Buffer).length
    // Nobody reads on while this waits, so all that the door would queue is there.
    if (wasFirstHalf && received >= 64 * mebibyte) await expectFlat(before)
  }
  expect(hash.digest('hex')).toBe(digestOf(128))
})

/** Writes until the other side has not made room for a while that is counted in turns of the loop, not in time. */
async function fill(socket: Socket, limitBytes: number): Promise<number> {
  let sent = 0
  while (sent < limitBytes) {
    if (!socket.write(block)) {
      const isDrained = await Promise.race([
        new Promise(resolve => socket.once('drain', () => resolve(true))),
        manyTurns(),
      ])
      if (isDrained !== true) return sent
    }
    sent += block.length
  }
  return sent
}

async function manyTurns() {
  for (let turn = 0; turn < 2000; turn++) await new Promise(resolve => setImmediate(resolve))
}

test('a visitor who does not read stops the target', async () => {
  const serving = Promise.withResolvers<Socket>()
  const { port } = await target(socket => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${1024 * mebibyte}\r\n\r\n`)
      serving.resolve(socket)
    })
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  visitor.socket.pause()
  const before = bufferBytes()
  expect(await fill(await serving.promise, 1024 * mebibyte)).toBeLessThan(64 * mebibyte)
  await expectFlat(before)
})

test('a target that does not read stops the visitor', async () => {
  const { port } = await target(socket => socket.pause())
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${1024 * mebibyte}\r\n\r\n`)
  const before = bufferBytes()
  expect(await fill(visitor.socket, 1024 * mebibyte)).toBeLessThan(64 * mebibyte)
  await expectFlat(before)
})

test('a visitor who asks without reading is not answered into memory', async () => {
  const { port, door: opened } = await door(() => ({ kind: 'page', code: 'unknown_name' }))
  const visitor = visit(port)
  visitor.socket.pause()
  const asking = Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(40_000))
  let asked = 0
  for (let round = 0; round < 200; round++) {
    if (!visitor.socket.write(asking)) {
      const drained = new Promise(resolve => visitor.socket.once('drain', () => resolve(true)))
      if ((await Promise.race([drained, manyTurns()])) !== true) break
    }
    asked += 40_000
  }
  expect(opened.stats().requests).toBeLessThan(asked)
  // About 900 bytes an answer: what was answered fits into socket buffers.
  expect(opened.stats().requests).toBeLessThan(60_000)
})

test('an early answer reaches a visitor who is still sending, then the connection closes', async () => {
  const { port } = await target(socket => {
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 413 Content Too Large\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig',
      )
      socket.end()
    })
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000\r\n\r\n')
  visitor.send(Buffer.alloc(300_000))
  await visitor.until('Connection: close\r\n\r\nbig')
  visitor.send(Buffer.alloc(300_000))
  const { text, isCut } = await visitor.closed()
  expect(text).toMatch(/^HTTP\/1\.1 413 .*\r\nContent-Length: 3\r\nConnection: close\r\n\r\nbig$/)
  expect(isCut).toBe(false)
})

test('100-continue goes both ways', async () => {
  const heads: string[] = []
  const { port } = await target(socket => {
    socket.once('data', head => {
      heads.push(head.toString())
      socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      socket.once('data', body => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
      })
    })
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send('PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\n')
  await visitor.until('HTTP/1.1 100 Continue\r\n\r\n')
  expect(heads[0]).toContain('Expect: 100-continue\r\n')
  visitor.send('body')
  await visitor.until('\r\n\r\nbody')
})

test('an event stream is passed on event by event', async () => {
  const events = Promise.withResolvers<Socket>()
  const { port } = await target(socket => {
    socket.once('data', () => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n',
      )
      events.resolve(socket)
    })
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  const source = await events.promise
  for (const event of ['data: one\n\n', 'data: two\n\n']) {
    source.write(`${event.length.toString(16)}\r\n${event}\r\n`)
    await visitor.until(event)
  }
  source.write('0\r\n\r\n')
  await visitor.until('0\r\n\r\n')
})

test('a chunked upload arrives unchanged however it is cut, trailers included', async () => {
  const body = '5;x=y\r\nhello\r\n1\r\n!\r\n0\r\nX-Sum: 7\r\n\r\n'
  const { port } = await target(socket => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk
      const end = text.indexOf('\r\n\r\n')
      if (end === -1 || !text.endsWith('X-Sum: 7\r\n\r\n')) return
      const seen = text.slice(end + 4)
      text = ''
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${seen.length}\r\n\r\n${seen}`)
    })
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'
  for (let cut = 1; cut < body.length; cut++) {
    const before = visitor.received()
    visitor.send(head + body.slice(0, cut))
    await new Promise(resolve => setImmediate(resolve))
    visitor.send(body.slice(cut))
    await visitor.until(`${before}HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  }
})

test('the visitor who leaves in the middle of an upload takes the stream along', async () => {
  const closed = Promise.withResolvers<void>()
  const seen = Promise.withResolvers<void>()
  const { port } = await target(socket => {
    socket.once('data', () => seen.resolve())
    socket.on('end', () => closed.resolve()).on('close', () => closed.resolve())
  })
  const { port: at, records } = await door(port)
  const visitor = visit(at)
  visitor.send('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\npart')
  await seen.promise
  visitor.socket.end()
  await closed.promise
  expect(records).toMatchObject([{ end: 'visitor_gone' }])
})
