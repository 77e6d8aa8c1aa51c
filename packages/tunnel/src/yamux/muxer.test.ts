import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Duplex, type Writable } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { Muxer } from './muxer.ts'
import type { YamuxStream } from './stream.ts'
import { connectPair, createRandom, RawPeer, wireFrame } from './test-wire.ts'
import { createUnreadBudget } from './unread-budget.ts'

const MIB = 1024 * 1024
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function link() {
  const [near, far] = await connectPair()
  const agent = new Muxer({ socket: near, role: 'client' })
  const relay = new Muxer({ socket: far, role: 'server' })
  closers.push(() => agent.close())
  closers.push(() => relay.close())
  return { agent, relay }
}

async function writeAll(stream: Writable, chunks: Iterable<Buffer>): Promise<void> {
  for (const chunk of chunks) if (!stream.write(chunk)) await once(stream, 'drain')
  stream.end()
}

function* randomChunks(seed: number, total: number): Generator<Buffer> {
  const random = createRandom(seed)
  for (let left = total; left > 0; ) {
    const size = Math.min(left, 1 + Math.floor(random() ** 3 * 90_000))
    yield Buffer.alloc(size, Math.floor(random() * 256))
    left -= size
  }
}

function hashOf(chunks: Iterable<Buffer>): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

test('200 streams at once carry their bytes both ways unharmed', async () => {
  const { agent, relay } = await link()
  agent.acceptStreams(stream => stream.pipe(stream))
  const round = async (seed: number) => {
    const stream = relay.openStream()
    const hash = createHash('sha256')
    stream.on('data', chunk => hash.update(chunk))
    await Promise.all([writeAll(stream, randomChunks(seed, 200_000)), once(stream, 'end')])
    expect(hash.digest('hex')).toBe(hashOf(randomChunks(seed, 200_000)))
  }
  await Promise.all(Array.from({ length: 200 }, (_, seed) => round(seed)))
  await Promise.all([relay.drain(5_000), agent.closed])
  expect(relay.streamCount).toBe(0)
  expect(agent.streamCount).toBe(0)
})

test('a flush that ends on its byte limit goes on without help', async () => {
  const { agent, relay } = await link()
  const received = new Promise<number>(resolve => {
    agent.acceptStreams(stream => {
      let size = 0
      stream.on('data', chunk => {
        size += chunk.length
      })
      stream.on('end', () => resolve(size))
    })
  })
  relay.openStream().end(Buffer.alloc(40 * MIB))
  expect(await received).toBe(40 * MIB)
})

test('a reader that never reads stops the writer at the window and holds no more', async () => {
  const { agent, relay } = await link()
  const accepted = new Promise<YamuxStream>(resolve => agent.acceptStreams(resolve))
  const stream = relay.openStream()
  let written = 0
  const chunk = Buffer.alloc(10_000)
  while (stream.write(chunk)) written += chunk.length
  const writer = (async () => {
    for (;;) {
      await once(stream, 'drain')
      while (stream.write(chunk)) written += chunk.length
    }
  })()
  writer.catch(() => {})
  const silent = await accepted
  // Streams beside it are served meanwhile: ten round trips prove that time passed.
  agent.acceptStreams(other => other.pipe(other))
  for (let i = 0; i < 10; i += 1) {
    const beside = relay.openStream()
    beside.write('ping')
    await once(beside, 'data')
    beside.destroy()
  }
  expect(silent.unreadBytes).toBe(256 * 1024)
  // What the window holds, the Writable's own mark of 64 KiB, and the chunk that went over it.
  expect(written).toBeLessThanOrEqual((256 + 64) * 1024 + chunk.length)
})

test('when all links together hold too much, the fullest one pays and the others go on', async () => {
  const unreadBudget = createUnreadBudget(600 * 1024)
  const open = async () => {
    const [near, far] = await connectPair()
    const relay = new Muxer({ socket: near, role: 'server', unreadBudget })
    const agent = new Muxer({ socket: far, role: 'client' })
    closers.push(
      () => relay.close(),
      () => agent.close(),
    )
    agent.acceptStreams(stream => stream.write(Buffer.alloc(MIB)))
    return relay
  }
  const [modest, greedy] = [await open(), await open()]
  const full = (stream: YamuxStream) =>
    expect.poll(() => stream.unreadBytes, { interval: 1 }).toBe(256 * 1024)
  const waiting = modest.openStream()
  await full(waiting)
  const first = greedy.openStream()
  await full(first)
  const second = greedy.openStream()
  const errors = () => [first.errored, second.errored].filter(error => error !== null)
  await expect.poll(errors, { interval: 1 }).toMatchObject([{ code: 'memory_limit' }])
  expect([waiting.destroyed, modest.isOpen, greedy.isOpen]).toEqual([false, true, true])
})

test('one-byte frames that nobody reads cost little more than their bytes', async () => {
  const [near, far] = await connectPair()
  const relay = new Muxer({ socket: near, role: 'server' })
  closers.push(() => relay.close())
  const peer = new RawPeer(far)
  relay.acceptStreams(() => {})
  const streams = 20
  const frames: Buffer[] = []
  for (let i = 0; i < streams; i += 1) frames.push(wireFrame([1, 1, 1 + 2 * i, 0]))
  for (let i = 0; i < 200_000; i += 1) frames.push(wireFrame([0, 0, 1 + 2 * (i % streams)], 'x'))
  const all = Buffer.concat(frames)
  frames.length = 0
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  const before = process.memoryUsage()
  peer.socket.write(all)
  await peer.settle()
  collectGarbage()
  const after = process.memoryUsage()
  const grown = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
  // A Buffer object for each would be above 20 MB, a pinned 64 KiB read for each above 12 GB.
  expect(grown).toBeLessThan(8 * MIB)
})

test('a window grows towards the product of bandwidth and round trip, within its limits', async () => {
  const [near, far] = await connectPair()
  let now = 0
  const timers = { setTimeout: () => 0, clearTimeout: () => {} }
  const clock: Clock = { now: () => now, ...timers }
  const relay = new Muxer({ socket: near, role: 'server', clock })
  closers.push(() => relay.close())
  const peer = new RawPeer(far)
  const accepted = new Promise<YamuxStream>(resolve => relay.acceptStreams(resolve))
  peer.send(wireFrame([1, 1, 1, 0]))
  const stream = await accepted
  await peer.settle()
  now += 100
  peer.send(wireFrame([2, 2, 0, 1]))
  await peer.settle()
  expect(relay.roundTripMs).toBe(100)
  stream.resume()
  const sizes: number[] = []
  for (let i = 0; i < 8; i += 1) {
    // Half a window in each 50 ms: the bandwidth is always a window in each round trip, so more is worth trying.
    now += 50
    const half = stream.windowBytes / 2
    for (let sent = 0; sent < half; sent += 32 * 1024) {
      peer.send(wireFrame([0, 0, 1], Buffer.alloc(32 * 1024)))
    }
    const granted = (await peer.settle()).reduce((sum, frame) => sum + frame.length, 0)
    expect(granted).toBeGreaterThanOrEqual(half)
    sizes.push(stream.windowBytes / MIB)
  }
  // The first measure still holds the 100 ms before the first byte.
  expect(sizes).toEqual([0.25, 0.5, 1, 2, 4, 4, 4, 4])
  // A slow stream is left at the first 256 KiB.
  const slow = new Promise<YamuxStream>(resolve => relay.acceptStreams(resolve))
  peer.send(wireFrame([1, 1, 3, 0]))
  const second = (await slow).resume()
  now += 60_000
  for (let i = 0; i < 4; i += 1) peer.send(wireFrame([0, 0, 3], Buffer.alloc(32 * 1024)))
  await peer.settle()
  expect(second.windowBytes).toBe(256 * 1024)
})

test('a muxer works on any Duplex and survives a reset that nobody listens to', async () => {
  const [left, right] = duplexPair()
  const agent = new Muxer({ socket: left, role: 'client' })
  const relay = new Muxer({ socket: right, role: 'server' })
  agent.acceptStreams(stream => stream.destroy())
  const stream = relay.openStream()
  await new Promise<void>(resolve => stream.once('close', () => resolve()))
  expect(stream.errored).toMatchObject({ code: 'stream_reset' })
  relay.close()
  expect(await agent.closed).toMatchObject({ code: 'link_lost' })
})

test('drain waits for the streams that are open and then closes', async () => {
  const { agent, relay } = await link()
  agent.acceptStreams(stream => stream.pipe(stream))
  const stream = relay.openStream()
  stream.write('a')
  await once(stream, 'data')
  const went = new Promise<void>(resolve => relay.onGoAway(resolve))
  const drained = agent.drain(10_000)
  await went
  stream.write('b')
  expect(String((await once(stream, 'data'))[0])).toBe('b')
  stream.end().resume()
  await drained
  expect(await relay.closed).toMatchObject({ code: 'link_lost' })
})

function duplexPair(): [Duplex, Duplex] {
  const wait: ((() => void) | null)[] = [null, null]
  const ends = [0, 1].map(
    side =>
      new Duplex({
        read() {
          wait[1 - side]?.()
          wait[1 - side] = null
        },
        write(chunk, _encoding, done) {
          wait[side] = done
          ends[1 - side]?.push(chunk)
        },
        final(done) {
          ends[1 - side]?.push(null)
          done()
        },
      }),
  )
  return ends as [Duplex, Duplex]
}
