import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { Muxer } from './yamux/muxer.ts'
import type { YamuxStream } from './yamux/stream.ts'

const hasGo = spawnSync('go', ['version']).status === 0
const sourceFolder = fileURLToPath(new URL('../interop', import.meta.url))
const firstWindowBytes = 262_144
const closers: (() => void)[] = []
let folder: string
let program: string

/** The same bytes as `fill` of the peer. */
function fill(bytes: number): Buffer {
  const all = Buffer.allocUnsafe(bytes)
  for (let at = 0; at < bytes; at += 1) all[at] = (at * 31 + Math.trunc(at / 251)) & 255
  return all
}

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

// Not by iterating: that destroys the stream at its end, and with it the direction that is still open.
async function readAll(stream: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  stream.on('data', chunk => chunks.push(chunk))
  await finished(stream, { writable: false })
  return Buffer.concat(chunks)
}

/** Starts a peer in one role and a muxer of ours in the other. */
async function meet(peerRole: 'client' | 'server', ...flags: string[]) {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const address = ['-role', peerRole, '-connect', `127.0.0.1:${port}`]
  const peer: ChildProcess = spawn(program, [...address, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  closers.push(() => peer.kill())
  const [socket] = await once(server, 'connection')
  server.close()
  const muxer = new Muxer({ socket, role: peerRole === 'client' ? 'server' : 'client' })
  closers.push(() => muxer.close())
  const lines = createInterface({ input: peer.stdout as Readable })[Symbol.asyncIterator]()
  return {
    muxer,
    /** The next line on the peer's standard output. */
    report: async () => (await lines.next()).value,
    order(command: string): YamuxStream {
      const stream = muxer.openStream()
      stream.write(`${command}\n`)
      return stream
    },
  }
}

type Meeting = Awaited<ReturnType<typeof meet>>

/** Everything sent before has reached the peer, and its answers have reached us. */
async function settle({ order }: Meeting): Promise<void> {
  expect(await text(order('ping').end())).toBe('pong\n')
}

describe.skipIf(!hasGo)('with HashiCorp yamux', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'homeport-interop-'))
    program = join(folder, process.platform === 'win32' ? 'peer.exe' : 'peer')
    // The compiler's cache outlives the run: the first build takes a quarter of a minute, later ones a second.
    const env = {
      ...process.env,
      CGO_ENABLED: '0',
      GOCACHE: join(tmpdir(), 'homeport-interop', 'build'),
    }
    const options = { cwd: sourceFolder, env, timeout: 120_000 }
    await promisify(execFile)('go', ['build', '-o', program, '.'], options)
  }, 125_000)

  afterEach(() => {
    for (const close of closers.splice(0)) close()
  })

  afterAll(() => rm(folder, { recursive: true, force: true }))

  describe.each(['client', 'server'] as const)('as the %s', role => {
    test('many MB come back as they were sent, on several streams at once', async () => {
      const { order } = await meet(role)
      const sizes = [12_000_000, 3_000_001, 1]
      const echoes = sizes.map(async size => {
        const sent = fill(size)
        const stream = order('echo')
        stream.end(sent)
        return hash(await readAll(stream)) === hash(sent)
      })
      expect(await Promise.all(echoes)).toEqual([true, true, true])
    })

    test('streams that the peer opens carry many MB both ways', async () => {
      const { muxer, order } = await meet(role)
      muxer.acceptStreams(stream => stream.pipe(stream))
      const reports = await Promise.all(
        [8_000_000, 262_145, 7].map(size => text(order(`open ${size}`).end())),
      )
      expect(reports).toEqual(['8000000 true\n', '262145 true\n', '7 true\n'])
    })

    test('this side half-closes and still reads', async () => {
      const { order } = await meet(role)
      const sent = fill(700_000)
      const stream = order('hash')
      stream.end(sent)
      expect(await text(stream)).toBe(`700000 ${hash(sent)}\n`)
    })

    test('the peer half-closes and still reads', async () => {
      const { order, report } = await meet(role)
      const stream = order('close-first')
      expect((await readAll(stream)).length).toBe(0)
      stream.end(fill(700_000))
      expect(await report()).toBe('read 700000 <nil>')
    })

    test('a reset of this side reaches the peer', async () => {
      const { order, report, muxer } = await meet(role)
      const stream = order('await-reset')
      await once(stream, 'data')
      stream.destroy()
      expect(await report()).toBe('reset true')
      expect(muxer.isOpen).toBe(true)
    })

    test('a reset of the peer reaches this side, and other streams go on', async () => {
      const meeting = await meet(role, '-close-timeout', '50ms')
      const stream = meeting.order('reset')
      stream.resume()
      await new Promise(resolve => stream.once('close', resolve))
      expect(stream.errored).toMatchObject({ code: 'stream_reset' })
      await settle(meeting)
    })

    test('both sides answer pings', async () => {
      const meeting = await meet(role)
      await settle(meeting)
      expect(meeting.muxer.roundTripMs).toBeGreaterThan(0)
    })

    test('a peer that does not read stalls one stream and gets the rest when it reads', async () => {
      const meeting = await meet(role)
      const stream = meeting.order('stall')
      let isTaken = false
      stream.write(fill(1_000_000), () => {
        isTaken = true
      })
      await settle(meeting)
      expect(isTaken).toBe(false)
      stream.end()
      meeting.order('resume')
      expect(await text(stream)).toBe('1000000\n')
    })

    test('the peer stalls at a full window and goes on when this side reads', async () => {
      const meeting = await meet(role)
      const stream = meeting.order('send 1000000')
      while (stream.unreadBytes < firstWindowBytes) await settle(meeting)
      await settle(meeting)
      expect(stream.unreadBytes).toBe(firstWindowBytes)
      expect(hash(await readAll(stream))).toBe(hash(fill(1_000_000)))
    })

    test('go-away of the peer ends no stream and lets none begin', async () => {
      const { muxer, order } = await meet(role)
      const away = new Promise<void>(resolve => muxer.onGoAway(resolve))
      const stream = order('go-away')
      await away
      expect(() => muxer.openStream()).toThrow(
        expect.objectContaining({ code: role === 'server' ? 'relay_draining' : 'agent_draining' }),
      )
      stream.end('still here')
      expect(await text(stream)).toBe('still here')
    })

    test('go-away of this side ends no stream and lets none begin', async () => {
      const { muxer } = await meet(role)
      const stream = muxer.openStream()
      muxer.goAway()
      stream.end('open 1\n')
      expect(await text(stream)).toBe('refused true\n')
    })

    test('the end of the link is an orderly one for the peer', async () => {
      const meeting = await meet(role)
      await settle(meeting)
      meeting.muxer.close()
      expect(await meeting.report()).toBe('over EOF')
    })
  })
})
