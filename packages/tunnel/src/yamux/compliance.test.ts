import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { afterEach, describe, expect, test } from 'vitest'
import { Muxer } from './muxer.ts'
import { connectPair, RawPeer, type WireFrame, wireFrame } from './test-wire.ts'

const [DATA, WINDOW, PING, AWAY] = [0, 1, 2, 3]
const [SYN, ACK, FIN, RST] = [1, 2, 4, 8]
const WINDOW_BYTES = 256 * 1024

/** What an implementation must offer to be put through this suite. */
interface Implementation {
  openStream(): Duplex
  acceptStreams(handler: (stream: Duplex) => void): void
  goAway(): void
  close(): void
  readonly streamCount: number
  readonly closed: Promise<{ code: string }>
}

type Create = (socket: Duplex, role: 'client' | 'server', limits: Limits) => Implementation

interface Limits {
  readonly inboundStreamLimit?: number
  readonly outboundStreamLimit?: number
  readonly backlogLimit?: number
  readonly unreadLimitBytes?: number
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

describeYamux('muxer', (socket, role, config) => new Muxer({ socket, role, config }))

function describeYamux(name: string, create: Create): void {
  async function start(role: 'client' | 'server' = 'server', limits: Limits = {}) {
    const [near, far] = await connectPair()
    const muxer = create(near, role, limits)
    const peer = new RawPeer(far)
    closers.push(() => {
      muxer.close()
      far.destroy()
    })
    return { muxer, peer }
  }

  /** A stream opened by the raw peer, as the implementation hands it over. */
  async function accept(limits: Limits = {}) {
    const { muxer, peer } = await start('server', limits)
    const accepted = new Promise<Duplex>(resolve => muxer.acceptStreams(resolve))
    peer.send(wireFrame([WINDOW, SYN, 1, 0]))
    return { muxer, peer, stream: await accepted }
  }

  describe(`${name}: opening`, () => {
    test.each([
      ['client', 1, 3],
      ['server', 2, 4],
    ] as const)('a %s opens streams %i and %i with SYN', async (role, first, second) => {
      const { muxer, peer } = await start(role)
      muxer.openStream()
      muxer.openStream().write('hi')
      expect(await peer.next()).toMatchObject({ type: WINDOW, flags: SYN, streamId: first })
      const opened = await peer.next()
      expect(opened).toMatchObject({ type: DATA, flags: SYN, streamId: second, length: 2 })
    })

    test('the first frame on a stream of the peer carries ACK, the second does not', async () => {
      const { peer, stream } = await accept()
      stream.write('one')
      expect(await peer.next()).toMatchObject({ flags: ACK, streamId: 1, payload: bytes('one') })
      stream.write('two')
      expect(await peer.next()).toMatchObject({ flags: 0, streamId: 1, payload: bytes('two') })
    })

    test('data may come with SYN and before anybody accepts', async () => {
      const { muxer, peer } = await start()
      peer.send(wireFrame([DATA, SYN, 1], 'early'))
      await peer.settle()
      const stream = await new Promise<Duplex>(resolve => muxer.acceptStreams(resolve))
      expect(await readBytes(stream, 5)).toEqual(bytes('early'))
    })

    test('frames may be cut anywhere', async () => {
      const { muxer, peer } = await start()
      const accepted = new Promise<Duplex>(resolve => muxer.acceptStreams(resolve))
      for (const byte of wireFrame([DATA, SYN, 1], 'abc')) {
        await new Promise(resolve => peer.socket.write(Buffer.from([byte]), resolve))
      }
      expect(await readBytes(await accepted, 3)).toEqual(bytes('abc'))
    })
  })

  describe(`${name}: closing`, () => {
    test('FIN of the peer ends reading and leaves writing open', async () => {
      const { peer, stream } = await accept()
      peer.send(wireFrame([DATA, FIN, 1], 'last'))
      expect(await readBytes(stream, 4)).toEqual(bytes('last'))
      stream.resume()
      await once(stream, 'end')
      stream.write('still here')
      expect((await peer.next()).payload).toEqual(bytes('still here'))
    })

    test('end() sends FIN after the data and leaves reading open', async () => {
      const { peer, stream } = await accept()
      stream.end('bye')
      const frames = await collect(peer, frame => (frame.flags & FIN) !== 0)
      expect(Buffer.concat(frames.map(frame => frame.payload))).toEqual(bytes('bye'))
      peer.send(wireFrame([DATA, 0, 1], 'more'))
      expect(await readBytes(stream, 4)).toEqual(bytes('more'))
    })

    test('a stream closed by both sides is gone without a reset', async () => {
      const { muxer, peer, stream } = await accept()
      stream.resume().end()
      peer.send(wireFrame([DATA, FIN, 1]))
      await once(stream, 'close')
      expect(muxer.streamCount).toBe(0)
      const frames = await peer.settle()
      expect(frames.some(frame => (frame.flags & RST) !== 0)).toBe(false)
    })

    test('FIN may come with a window update', async () => {
      const { peer, stream } = await accept()
      peer.send(wireFrame([WINDOW, FIN, 1, 0]))
      stream.resume()
      await once(stream, 'end')
      expect(stream.writable).toBe(true)
    })

    test('a reset by the peer fails the stream and only that', async () => {
      const { muxer, peer, stream } = await accept()
      const other = muxer.openStream()
      peer.send(wireFrame([WINDOW, RST, 1, 0]))
      await closeOf(stream)
      expect(stream.errored).toMatchObject({ code: 'stream_reset' })
      expect(muxer.streamCount).toBe(1)
      expect(other.destroyed).toBe(false)
    })

    test('destroy() resets, and what is still on its way is dropped', async () => {
      const { muxer, peer, stream } = await accept()
      stream.destroy()
      expect(await peer.next()).toMatchObject({ flags: RST, streamId: 1 })
      peer.send(wireFrame([DATA, 0, 1], 'late'), wireFrame([WINDOW, 0, 1, 5]))
      peer.send(wireFrame([DATA, FIN, 1]))
      expect(await peer.settle()).toEqual([])
      expect(muxer.streamCount).toBe(0)
    })

    test('a stream destroyed before its first frame was never there', async () => {
      const { muxer, peer } = await start()
      muxer.openStream().destroy()
      expect(await peer.settle()).toEqual([])
    })
  })

  describe(`${name}: windows`, () => {
    test('a writer stops at 256 KiB, goes on by what is granted, in frames of 32 KiB', async () => {
      const { peer, stream } = await accept()
      stream.write(Buffer.alloc(WINDOW_BYTES + 5_000, 'x'))
      const first = await collectBytes(peer, WINDOW_BYTES)
      expect(Math.max(...first.map(frame => frame.length))).toBeLessThanOrEqual(32 * 1024)
      expect(await peer.settle()).toEqual([])
      peer.send(wireFrame([WINDOW, 0, 1, 1_000]))
      expect(sizeOf(await collectBytes(peer, 1_000))).toBe(1_000)
      expect(await peer.settle()).toEqual([])
      peer.send(wireFrame([WINDOW, 0, 1, 4_000]))
      expect(sizeOf(await collectBytes(peer, 4_000))).toBe(4_000)
    })

    test('a window granted with SYN and ACK counts', async () => {
      const { muxer, peer } = await start('client')
      const stream = muxer.openStream()
      stream.write(Buffer.alloc(WINDOW_BYTES + 100))
      await collectBytes(peer, WINDOW_BYTES)
      peer.send(wireFrame([WINDOW, ACK, 1, 100]))
      expect(sizeOf(await collectBytes(peer, 100))).toBe(100)
    })

    test('nothing is granted while nobody reads, and what was read is granted', async () => {
      const { peer, stream } = await accept()
      for (let i = 0; i < 8; i += 1) peer.send(wireFrame([DATA, 0, 1], Buffer.alloc(32 * 1024)))
      expect(await peer.settle()).toEqual([])
      stream.resume()
      const granted = await peer.next()
      expect(granted).toMatchObject({ type: WINDOW, streamId: 1 })
      expect(granted.length).toBeGreaterThanOrEqual(WINDOW_BYTES / 2)
    })

    test('more than the window is a protocol error', async () => {
      const { muxer, peer } = await accept()
      for (let i = 0; i < 8; i += 1) peer.send(wireFrame([DATA, 0, 1], Buffer.alloc(32 * 1024)))
      expect(await peer.settle()).toEqual([])
      peer.send(wireFrame([DATA, 0, 1], 'x'))
      expect(await muxer.closed).toMatchObject({ code: 'protocol_error' })
      expect((await peer.drain()).at(-1)).toMatchObject({ type: AWAY, length: 1 })
    })

    test('streams take turns', async () => {
      const { muxer, peer } = await start()
      muxer.openStream().write(Buffer.alloc(WINDOW_BYTES))
      muxer.openStream().write(Buffer.alloc(WINDOW_BYTES))
      const frames = await collectBytes(peer, 2 * WINDOW_BYTES)
      expect(frames.map(frame => frame.streamId)).toEqual(frames.map((_, i) => 2 + 2 * (i % 2)))
    })

    test('too many unread bytes on a link cost its slowest reader the stream', async () => {
      const { muxer, peer, stream } = await accept({ unreadLimitBytes: 100_000 })
      peer.send(wireFrame([WINDOW, SYN, 3, 0]), wireFrame([DATA, 0, 3], Buffer.alloc(100)))
      for (let i = 0; i < 5; i += 1) peer.send(wireFrame([DATA, 0, 1], Buffer.alloc(32 * 1024)))
      await closeOf(stream)
      expect(stream.errored).toMatchObject({ code: 'memory_limit' })
      expect((await peer.next()).flags & RST).toBe(RST)
      expect(muxer.streamCount).toBe(1)
    })
  })

  describe(`${name}: bad frames`, () => {
    const cases: [string, Buffer][] = [
      ['another version', wireFrame([WINDOW, SYN, 3, 0], '', 1)],
      ['an unknown type', wireFrame([9, 0, 1, 0])],
      ['an unknown flag', wireFrame([DATA, 16, 1])],
      ['data on stream 0', wireFrame([DATA, 0, 0], 'x')],
      ['a window update on stream 0', wireFrame([WINDOW, 0, 0, 1])],
      ['a ping on a stream', wireFrame([PING, SYN, 1, 1])],
      ['a go-away on a stream', wireFrame([AWAY, 0, 1, 0])],
      ['a stream id of our parity', wireFrame([WINDOW, SYN, 2, 0])],
      ['a stream id used before', wireFrame([WINDOW, SYN, 1, 0])],
      ['data on a stream that never was', wireFrame([DATA, 0, 3], 'x')],
      ['data on a stream that we never opened', wireFrame([DATA, 0, 4], 'x')],
      ['a frame too long', wireFrame([DATA, 0, 1, 32 * 1024 + 1])],
      ['a window above 32 bits', wireFrame([WINDOW, 0, 1, 0xffffffff])],
      ['data after FIN', Buffer.concat([wireFrame([DATA, FIN, 1]), wireFrame([DATA, 0, 1], 'x')])],
      ['FIN after FIN', Buffer.concat([wireFrame([DATA, FIN, 1]), wireFrame([DATA, FIN, 1])])],
    ]
    test.each(cases)('%s closes the link with go-away 1', async (_name, frame) => {
      const { muxer, peer, stream } = await accept()
      peer.send(frame)
      expect(await muxer.closed).toMatchObject({ code: 'protocol_error' })
      expect(stream.errored).toMatchObject({ code: 'protocol_error' })
      expect((await peer.drain()).at(-1)).toMatchObject({ type: AWAY, streamId: 0, length: 1 })
    })
  })

  describe(`${name}: ping, go-away, early close`, () => {
    test('a ping is echoed with its value', async () => {
      const { peer } = await start()
      peer.send(wireFrame([PING, SYN, 0, 0xdeadbeef]))
      expect(await peer.next()).toMatchObject({ type: PING, flags: ACK, length: 0xdeadbeef })
    })

    test('after a go-away of the peer open streams go on and new ones are refused', async () => {
      const { muxer, peer, stream } = await accept()
      peer.send(wireFrame([AWAY, 0, 0, 0]))
      await peer.settle()
      expect(() => muxer.openStream()).toThrow(expect.objectContaining({ code: 'agent_draining' }))
      stream.write('on')
      expect((await peer.next()).payload).toEqual(bytes('on'))
    })

    test('after our go-away open streams go on and new ones are reset', async () => {
      const { muxer, peer, stream } = await accept()
      muxer.goAway()
      expect(await peer.next()).toMatchObject({ type: AWAY, streamId: 0, length: 0 })
      peer.send(wireFrame([WINDOW, SYN, 3, 0]), wireFrame([DATA, 0, 3], 'x'))
      expect(await peer.next()).toMatchObject({ flags: RST, streamId: 3 })
      peer.send(wireFrame([DATA, 0, 1], 'on'))
      expect(await readBytes(stream, 2)).toEqual(bytes('on'))
    })

    test('a go-away with an error closes the link', async () => {
      const { muxer, peer } = await accept()
      peer.send(wireFrame([AWAY, 0, 0, 2]))
      expect(await muxer.closed).toMatchObject({ code: 'link_lost' })
    })

    test('close() says go-away and fails what is open', async () => {
      const { muxer, peer, stream } = await accept()
      muxer.close()
      expect(await peer.drain()).toMatchObject([{ type: AWAY, length: 0 }])
      expect(stream.errored).toMatchObject({ code: 'link_lost' })
    })

    test.each([
      ['between frames', Buffer.alloc(0)],
      ['inside a header', wireFrame([DATA, 0, 1], 'x').subarray(0, 5)],
      ['inside a payload', wireFrame([DATA, 0, 1, 100], 'only a part')],
    ])('a connection that ends %s fails every stream', async (_where, last) => {
      const { muxer, peer, stream } = await accept()
      peer.socket.end(last)
      expect(await muxer.closed).toMatchObject({ code: 'link_lost' })
      expect(stream.errored).toMatchObject({ code: 'link_lost' })
      expect(muxer.streamCount).toBe(0)
      expect(() => muxer.openStream()).toThrow(expect.objectContaining({ code: 'link_lost' }))
    })
  })

  describe(`${name}: floods`, () => {
    test('a stream above the limit is reset and a place that came free is given again', async () => {
      const { peer, stream } = await accept({ inboundStreamLimit: 1 })
      peer.send(wireFrame([WINDOW, SYN, 3, 0]))
      expect(await peer.next()).toMatchObject({ flags: RST, streamId: 3 })
      stream.destroy()
      expect(await peer.next()).toMatchObject({ flags: RST, streamId: 1 })
      peer.send(wireFrame([WINDOW, SYN, 5, 0]))
      expect(await peer.settle()).toEqual([])
    })

    test('a stream above the backlog is reset', async () => {
      const { peer } = await start('server', { backlogLimit: 1 })
      peer.send(wireFrame([WINDOW, SYN, 1, 0]), wireFrame([WINDOW, SYN, 3, 0]))
      expect(await peer.settle()).toMatchObject([{ flags: RST, streamId: 3 }])
    })

    test('our own limit throws and nothing is sent', async () => {
      const { muxer } = await start('client', { outboundStreamLimit: 1 })
      muxer.openStream()
      expect(() => muxer.openStream()).toThrow(expect.objectContaining({ code: 'stream_limit' }))
    })

    const floods: [string, (i: number) => Buffer][] = [
      ['pings', i => wireFrame([PING, SYN, 0, i])],
      ['empty data', () => wireFrame([DATA, 0, 1])],
      ['empty window updates', () => wireFrame([WINDOW, 0, 1, 0])],
      ['go-aways', () => wireFrame([AWAY, 0, 0, 0])],
      [
        'streams opened and reset',
        i => Buffer.concat([wireFrame([DATA, SYN, 3 + 2 * i]), wireFrame([DATA, RST, 3 + 2 * i])]),
      ],
      ['streams opened with a reset', i => wireFrame([DATA, SYN | RST, 3 + 2 * i])],
    ]
    test.each(floods)('%s without end close the link', async (_what, frame) => {
      const { muxer, peer } = await accept()
      peer.send(...Array.from({ length: 20_000 }, (_, i) => frame(i)))
      expect(await muxer.closed).toMatchObject({ code: 'flood' })
      expect((await peer.drain()).at(-1)).toMatchObject({ type: AWAY, length: 1 })
    })
  })
}

/** `once` would reject with the error that the test expects. */
function closeOf(stream: Duplex): Promise<void> {
  return new Promise(resolve => stream.once('close', () => resolve()))
}

function bytes(text: string): Buffer {
  return Buffer.from(text)
}

async function readBytes(stream: Duplex, count: number): Promise<Buffer> {
  const parts: Buffer[] = []
  for (let size = 0; size < count; ) {
    const chunk = stream.read() as Buffer | null
    if (chunk === null) await once(stream, 'readable')
    else {
      parts.push(chunk)
      size += chunk.length
    }
  }
  return Buffer.concat(parts)
}

async function collect(peer: RawPeer, isLast: (frame: WireFrame) => boolean): Promise<WireFrame[]> {
  const frames: WireFrame[] = []
  for (;;) {
    const frame = await peer.next()
    frames.push(frame)
    if (isLast(frame)) return frames
  }
}

async function collectBytes(peer: RawPeer, count: number): Promise<WireFrame[]> {
  let size = 0
  return collect(peer, frame => {
    size += frame.payload.length
    return size >= count
  })
}

function sizeOf(frames: WireFrame[]): number {
  return frames.reduce((sum, frame) => sum + frame.payload.length, 0)
}
