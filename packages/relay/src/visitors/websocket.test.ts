import { createServer } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { createCleanups, listen, passageTo, visit } from './test-door.ts'

const cleanups = createCleanups()
afterEach(cleanups.run)
const { door, target } = cleanups

const upgrade = (lines = '', protocol = 'websocket') =>
  `GET /ws HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: ${protocol}\r\n${lines}\r\n`
const switched =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'

test('carries a WebSocket, text and large binary, and its close', async () => {
  const server = createServer()
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', socket => {
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }))
  })
  const port = await listen(server)
  cleanups.add(() => server.closeAllConnections())
  cleanups.add(() => server.close())
  const { port: at, records } = await door(port)
  const client = new WebSocket(`ws://127.0.0.1:${at}/echo`)
  const received: (string | number)[] = []
  const done = Promise.withResolvers<number>()
  client.on('message', (data: Buffer, isBinary) => {
    received.push(isBinary ? data.length : data.toString())
    if (received.length === 3) client.close(4001)
  })
  client.on('error', done.reject).on('close', done.resolve)
  client.on('open', () => {
    client.send('你好')
    client.send(Buffer.alloc(3_000_000))
    client.send('last')
  })
  expect(await done.promise).toBe(4001)
  expect(received).toEqual(['你好', 3_000_000, 'last'])
  await expect.poll(() => records).toMatchObject([{ end: 'done' }])
  expect(records[0]?.bytesUp).toBeGreaterThan(3_000_000)
  expect(records[0]?.bytesDown).toBeGreaterThan(3_000_000)
})

test('bytes behind the upgrade wait for the 101, and half-close goes both ways', async () => {
  const seen: string[] = []
  const { port } = await target(socket => {
    socket.on('data', chunk => {
      seen.push(chunk.toString())
      if (seen.length === 1) socket.write(`${switched}welcome`)
    })
    socket.on('end', () => socket.end('last words'))
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send(`${upgrade()}early`)
  await visitor.until(`${switched}welcome`)
  visitor.socket.end('bye')
  const { text, isCut } = await visitor.closed()
  expect(text).toBe(`${switched}welcomelast words`)
  expect(isCut).toBe(false)
  expect(seen[0]).not.toContain('early')
  expect(seen.slice(1).join('')).toBe('earlybye')
})

test.each(['h2c', 'TLS/1.0', 'websocket, h2c'])('refuses an upgrade to %s', async protocol => {
  let reached = 0
  const { port } = await target(() => {
    reached += 1
  })
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send(upgrade('', protocol))
  expect(await visitor.until('upgrade_refused')).toContain('HTTP/1.1 400 ')
  expect(reached).toBe(0)
})

test('refuses an upgrade with a body, whose end nobody could tell', async () => {
  const { port } = await target(() => undefined)
  const { port: at } = await door(port)
  const visitor = visit(at)
  visitor.send(`${upgrade('Content-Length: 3\r\n')}abc`)
  expect(await visitor.until('upgrade_refused')).toContain('Connection: close')
})

test('stays an HTTP connection where the target does not switch', async () => {
  const { port } = await target(socket => {
    socket.on('data', () =>
      socket.write('HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno'),
    )
  })
  const asked: string[] = []
  const { port: at } = await door(head => {
    asked.push(head.target)
    return passageTo(port)
  })
  const visitor = visit(at)
  // What follows is read as a request and decided on, never passed on as raw bytes: the 426 was no switch.
  visitor.send(`${upgrade()}GET /second HTTP/1.1\r\nHost: a\r\n\r\n`)
  await visitor.until('no')
  await expect.poll(() => asked).toEqual(['/ws', '/second'])
})

test('cuts the visitor when the target breaks, and the target when the visitor does', async () => {
  const gone = Promise.withResolvers<void>()
  let count = 0
  const { port, sockets } = await target(socket => {
    count += 1
    socket.once('data', () => socket.write(switched))
    if (count === 2) socket.once('close', () => gone.resolve())
  })
  const { port: at, records } = await door(port)
  const first = visit(at)
  first.send(upgrade())
  await first.until(switched)
  for (const socket of sockets) socket.resetAndDestroy()
  await first.closed()
  const second = visit(at)
  second.send(upgrade())
  await second.until(switched)
  second.socket.resetAndDestroy()
  await gone.promise
  await expect
    .poll(() => records.map(record => record.end))
    .toEqual(['target_gone', 'visitor_gone'])
})
