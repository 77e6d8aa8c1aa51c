import { connect, createServer, type Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { createTestHeld } from '../testing/held.ts'
import type { FlowRecord } from './flow-record.ts'
import { joinStreams } from './join.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** Two ends of one TCP connection. */
async function pair(): Promise<[Socket, Socket]> {
  const server = createServer({ allowHalfOpen: true })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const accepted = new Promise<Socket>(resolve => server.once('connection', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const near = connect({ port: address.port, host: '127.0.0.1', allowHalfOpen: true })
  const far = await accepted
  server.close()
  for (const socket of [near, far]) {
    socket.on('error', () => undefined)
    cleanups.push(() => socket.destroy())
  }
  return [near, far]
}

/** A visitor and a target joined in the middle; the record comes when both are closed. */
async function joined(extra: Partial<Parameters<typeof joinStreams>[0]> = {}) {
  const [visitor, visitorInside] = await pair()
  const [targetInside, target] = await pair()
  const record = new Promise<FlowRecord>(resolve => {
    joinStreams({
      flow: 'f',
      visitor: visitorInside,
      target: targetInside,
      idleMs: 60_000,
      held: createTestHeld(),
      onEnd: resolve,
      ...extra,
    })
  })
  return { visitor, target, record }
}

/** What comes until the other side has ended its direction; `for await` would end ours too. */
const textOf = (socket: Socket) =>
  new Promise<string>(resolve => {
    let text = ''
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('end', () => resolve(text))
  })

test('carries each direction to its own end', async () => {
  const { visitor, target, record } = await joined()
  visitor.end('question')
  expect(await textOf(target)).toBe('question')
  // The visitor has ended; the target still answers.
  target.write('answer')
  target.end(', at length')
  expect(await textOf(visitor)).toBe('answer, at length')
  expect(await record).toMatchObject({ flow: 'f', bytesUp: 8, bytesDown: 17, end: 'done' })
})

test('sends first what was read before, and counts it', async () => {
  const first = { fromVisitor: Buffer.from('a'), fromTarget: Buffer.from('bc') }
  const { visitor, target, record } = await joined(first)
  visitor.end()
  target.end()
  expect(await textOf(target)).toBe('a')
  expect(await textOf(visitor)).toBe('bc')
  expect(await record).toMatchObject({ bytesUp: 1, bytesDown: 2, end: 'done' })
})

test.each(['visitor', 'target'] as const)('cuts both when the %s breaks', async side => {
  const ends = await joined()
  const other = side === 'visitor' ? ends.target : ends.visitor
  const broken = new Promise(resolve => other.once('error', resolve))
  let isEndClean = false
  other.on('end', () => {
    isEndClean = true
  })
  other.resume()
  ends[side].resetAndDestroy()
  // A FIN would look like the end of a whole transfer.
  expect(await broken).toMatchObject({ code: 'ECONNRESET' })
  expect(isEndClean).toBe(false)
  expect((await ends.record).end).toBe(`${side}_gone`)
})

test('ends what says nothing for too long', async () => {
  const { visitor, record } = await joined({ idleMs: 5 })
  visitor.on('end', () => visitor.end()).resume()
  expect((await record).end).toBe('timed_out')
})

test('stops reading a side while the other takes nothing', async () => {
  const { visitor, target } = await joined()
  target.pause()
  const block = Buffer.alloc(1024 * 1024)
  let sent = 0
  while (sent < 256) {
    sent += 1
    if (visitor.write(block)) continue
    const drained = new Promise(resolve => visitor.once('drain', () => resolve(true)))
    if ((await Promise.race([drained, manyTurns()])) !== true) break
  }
  expect(sent).toBeLessThan(64)
})

test('queues no crowd of small writes for a side that takes nothing', () => {
  let given = 0
  const target = new Duplex({
    read() {
      // One byte of a chunk that belongs to others, as frames of a tunnel are.
      setImmediate(() => this.push(Buffer.alloc(64 * 1024).subarray(0, 1)))
      given += 1
    },
    write: (_chunk, _encoding, done) => done(),
    readableHighWaterMark: 1,
  })
  const visitor = new Duplex({ read() {}, write() {} })
  cleanups.push(
    () => target.destroy(),
    () => visitor.destroy(),
  )
  joinStreams({ flow: 'f', visitor, target, idleMs: 60_000, held: createTestHeld() })
  return manyTurns().then(() => {
    expect(visitor.writableLength).toBe(2)
    expect(given).toBeLessThan(10)
  })
})

async function manyTurns() {
  for (let turn = 0; turn < 2000; turn++) await new Promise(resolve => setImmediate(resolve))
}
