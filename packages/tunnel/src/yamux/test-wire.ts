import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { Clock } from '../clock.ts'

/** Tests only: two ends of one TCP connection on this machine. */
export async function connectPair(): Promise<[Socket, Socket]> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const near = connect(port, '127.0.0.1')
  const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [
    [Socket],
    unknown,
  ]
  server.close()
  near.on('error', () => {})
  far.on('error', () => {})
  return [near.setNoDelay(true), far.setNoDelay(true)]
}

/** Tests only: a frame as it stands on the wire. */
export interface WireFrame {
  readonly type: number
  readonly flags: number
  readonly streamId: number
  readonly length: number
  readonly payload: Buffer
}

/** Tests only: bytes of a frame, however wrong; shares no code with the encoder under test. */
export function wireFrame(
  [type, flags, streamId, length]: readonly [number, number, number, number?],
  payload: string | Buffer = '',
  version = 0,
): Buffer {
  const body = Buffer.from(payload)
  const header = Buffer.alloc(12)
  header.writeUInt8(version, 0)
  header.writeUInt8(type, 1)
  header.writeUInt16BE(flags, 2)
  header.writeUInt32BE(streamId, 4)
  header.writeUInt32BE(length ?? body.length, 8)
  return Buffer.concat([header, body])
}

/** Tests only: a peer that speaks raw frames. Pings of the other side are swallowed unanswered. */
export class RawPeer {
  readonly socket: Socket
  readonly #frames: WireFrame[] = []
  #held = Buffer.alloc(0)
  #wake: (() => void) | null = null
  #isOver = false

  constructor(socket: Socket) {
    this.socket = socket
    socket.on('data', (chunk: Buffer) => {
      this.#held = Buffer.concat([this.#held, chunk])
      this.#cut()
      this.#wake?.()
    })
    socket.on('close', () => {
      this.#isOver = true
      this.#wake?.()
    })
  }

  send(...frames: Buffer[]): void {
    this.socket.write(Buffer.concat(frames))
  }

  /** The next frame; throws when the connection ends first. */
  async next(): Promise<WireFrame> {
    for (;;) {
      const frame = this.#frames.shift()
      if (frame !== undefined) return frame
      if (this.#isOver) throw new Error('the connection ended')
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Everything sent before the answer to a ping sent now: a barrier without a clock. */
  async settle(): Promise<WireFrame[]> {
    const value = Math.floor(Math.random() * 0xffffffff)
    this.send(wireFrame([2, 1, 0, value]))
    const before: WireFrame[] = []
    for (;;) {
      const frame = await this.next()
      if (frame.type === 2 && frame.flags === 2 && frame.length === value) return before
      before.push(frame)
    }
  }

  /** All frames until the other side closed. */
  async drain(): Promise<WireFrame[]> {
    const frames: WireFrame[] = []
    for (;;) {
      const frame = await this.next().catch(() => null)
      if (frame === null) return frames
      frames.push(frame)
    }
  }

  #cut(): void {
    while (this.#held.length >= 12) {
      const type = this.#held.readUInt8(1)
      const length = this.#held.readUInt32BE(8)
      const end = 12 + (type === 0 ? length : 0)
      if (this.#held.length < end) return
      const flags = this.#held.readUInt16BE(2)
      const streamId = this.#held.readUInt32BE(4)
      const payload = this.#held.subarray(12, end)
      this.#held = this.#held.subarray(end)
      if (type !== 2 || flags !== 1) this.#frames.push({ type, flags, streamId, length, payload })
    }
  }
}

/** Tests only: a clock that moves when told. */
export function createManualClock(): Clock & { advance(ms: number): void } {
  let now = 0
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    setTimeout: (run, delayMs) => {
      const timer = { at: now + delayMs, run }
      timers.push(timer)
      return timer
    },
    clearTimeout: handle => {
      timers = timers.filter(timer => timer !== handle)
    },
    advance: ms => {
      const end = now + ms
      for (;;) {
        const due = timers.filter(timer => timer.at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter(timer => timer !== due)
        now = Math.max(now, due.at)
        due.run()
      }
      now = end
    },
  }
}

/** Tests only: the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
