import { generateKeyPairSync } from 'node:crypto'
import { on, once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { type Duplex, PassThrough } from 'node:stream'
import { createLogger } from '@homeport/runtime'
import {
  type AcceptedLink,
  acceptControl,
  acceptLink,
  type DeviceKey,
  exportPublicKey,
  TunnelError,
  type TunnelErrorCode,
} from '@homeport/tunnel'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { stayLinked, unreadLimitBytes } from './stay-linked.ts'

const { privateKey, publicKey } = generateKeyPairSync('ed25519')

let relay: net.Server
let stopping: AbortController
/** Links in the order they came. */
let links: AsyncIterator<[AcceptedLink<DeviceKey>]>
let refusal: TunnelErrorCode | null
let running: Promise<void>
let states: boolean[]
let served: (stream: Duplex) => void
/** What is logged as a warning or worse. */
let lines: PassThrough

beforeEach(async () => {
  served = stream => stream.destroy()
  lines = new PassThrough()
  refusal = null
  states = []
  stopping = new AbortController()
  relay = net.createServer(socket => {
    socket.once('data', async (head: Buffer) => {
      const accepting = acceptLink(socket, {
        relayId: 'test',
        host: `127.0.0.1:${port()}`,
        head: head.subarray(head.indexOf('\r\n\r\n') + 4),
        findDeviceKey: async () => {
          if (refusal !== null) throw new TunnelError(refusal)
          return { publicKey: exportPublicKey(publicKey) }
        },
      })
      await accepting.then(
        link => relay.emit('link', link),
        () => socket.destroy(),
      )
    })
  })
  relay.listen(0, '127.0.0.1')
  await once(relay, 'listening')
  links = on(relay, 'link') as AsyncIterator<[AcceptedLink<DeviceKey>]>
  running = stayLinked({
    link: { server: new URL(`http://127.0.0.1:${port()}`), key: privateKey, device: 'd1' },
    info: () => ({ agentVersion: '1', model: 'test' }),
    backoff: { next: () => 1, reset: () => undefined },
    logger: createLogger({ level: 'warn', name: 'test', destination: lines }),
    serve: stream => served(stream),
    onLinked: isLinked => {
      states.push(isLinked)
      relay.emit('state')
    },
    signal: stopping.signal,
  })
  running.catch(() => undefined) // each test looks at the outcome itself
})

afterEach(async () => {
  stopping.abort()
  relay.close()
  await running.catch(() => undefined)
})

const port = () => (relay.address() as AddressInfo).port
const nextLink = async (): Promise<AcceptedLink<DeviceKey>> => (await links.next()).value[0]

describe('staying linked', () => {
  it('dials again after a loss, as the same session', async () => {
    const first = await nextLink()
    first.muxer.destroy(new TunnelError('link_silent'))
    const second = await nextLink()
    expect(second.hello.session).toBe(first.hello.session)
    expect(states.slice(0, 2)).toEqual([true, false])
  })

  it('dials anew at once when the relay drains, and leaves the old link to its flows', async () => {
    const first = await nextLink()
    acceptControl(first.muxer, () => undefined).send({ type: 'drain', deadlineMs: 60_000 })
    await nextLink()
    expect(first.muxer.isOpen).toBe(true)
    first.muxer.close()
  })

  it('dials more links of the same session when the relay asks, eight at most', async () => {
    const first = await nextLink()
    const { promise: asked, resolve } = Promise.withResolvers<void>()
    const control = acceptControl(first.muxer, () => undefined)
    control.send({ type: 'grow', links: 8 })
    control.send({ type: 'grow', links: 8 })
    const more: AcceptedLink<DeviceKey>[] = []
    while (more.length < 7) more.push(await nextLink())
    expect(new Set(more.map(link => link.hello.session))).toEqual(new Set([first.hello.session]))
    // What was sent before is handled by the time a stream sent after it comes back.
    const probe = first.muxer.openStream()
    probe.on('close', resolve)
    await asked
    const connections = Promise.withResolvers<number>()
    relay.getConnections((_error, count) => connections.resolve(count))
    expect(await connections.promise).toBe(8)
  })

  it('keeps its session while one of several links is left, and dials anew after the last', async () => {
    const first = await nextLink()
    acceptControl(first.muxer, () => undefined).send({ type: 'grow', links: 2 })
    const second = await nextLink()
    acceptControl(second.muxer, () => undefined).send({ type: 'grow', links: 1 })
    first.muxer.destroy(new TunnelError('link_silent'))
    const probe = second.muxer.openStream()
    await new Promise(resolve => probe.once('close', resolve))
    expect(states).toEqual([true])
    second.muxer.destroy(new TunnelError('link_silent'))
    expect((await nextLink()).hello.session).toBe(first.hello.session)
    expect(states.slice(0, 2)).toEqual([true, false])
  })

  it('ends with the reason when the device was unbound', async () => {
    const { muxer } = await nextLink()
    const control = acceptControl(muxer, () => undefined)
    control.send({ type: 'revoked', code: 'device_revoked' })
    await expect(running).rejects.toMatchObject({ code: 'device_revoked', retry: 'never' })
  })

  it('ends with the reason when the relay does not know the device', async () => {
    const { muxer } = await nextLink()
    refusal = 'device_unknown'
    muxer.close()
    await expect(running).rejects.toMatchObject({ code: 'device_unknown' })
  })

  it('goes on trying while the relay is busy', async () => {
    const first = await nextLink()
    refusal = 'relay_busy'
    first.muxer.close()
    await once(relay, 'connection')
    await once(relay, 'connection')
    refusal = null
    expect((await nextLink()).hello.device).toBe('d1')
  })

  it('waits its own random pause on top of what a busy relay asks for', async () => {
    const busy = net.createServer(socket => {
      socket.on('error', () => socket.destroy())
      socket.end('HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\n\r\n')
    })
    busy.listen(0, '127.0.0.1')
    await once(busy, 'listening')
    const lines = new PassThrough()
    const busyPort = (busy.address() as AddressInfo).port
    const waiting = stayLinked({
      link: { server: new URL(`http://127.0.0.1:${busyPort}`), key: privateKey, device: 'd1' },
      info: () => ({ agentVersion: '1', model: 'test' }),
      backoff: { next: () => 321, reset: () => undefined },
      logger: createLogger({ level: 'warn', name: 'test', destination: lines }),
      serve: stream => stream.destroy(),
      onLinked: () => undefined,
      signal: stopping.signal,
    })
    const [line] = await once(lines, 'data')
    expect(JSON.parse(String(line))).toMatchObject({ delayMs: 5_321, detail: 'HTTP 503' })
    stopping.abort()
    await waiting
    busy.close()
  })

  it('does not fight for its place when another agent took it, and says so', async () => {
    const { muxer } = await nextLink()
    const control = acceptControl(muxer, () => undefined)
    control.send({ type: 'revoked', code: 'session_replaced' })
    const [line] = await once(lines, 'data')
    expect(JSON.parse(String(line))).toMatchObject({
      level: 50,
      code: 'session_replaced',
      delayMs: 60_000,
      msg: 'another machine took the place with a copy of this data folder',
    })
    stopping.abort()
    await running
  })

  it('bounds what targets do not take over all of its links together', async () => {
    await nextLink()
    stopping.abort()
    await running
    stopping = new AbortController()
    running = stayLinked({
      link: { server: new URL(`http://127.0.0.1:${port()}`), key: privateKey, device: 'd1' },
      info: () => ({ agentVersion: '1', model: 'test' }),
      backoff: { next: () => 1, reset: () => undefined },
      logger: createLogger({ level: 'silent', name: 'test' }),
      serve: () => undefined, // nobody reads
      onLinked: () => undefined,
      signal: stopping.signal,
    })
    const first = await nextLink()
    acceptControl(first.muxer, () => undefined).send({ type: 'grow', links: 2 })
    const second = await nextLink()
    acceptControl(second.muxer, () => undefined)
    // Each link alone stays far below the bound of one link.
    const window = Buffer.alloc(256 * 1024)
    const count = Math.ceil((0.6 * unreadLimitBytes) / window.length)
    await new Promise(resolve => {
      for (const { muxer } of [first, second]) {
        for (let index = 0; index < count; index += 1) {
          muxer.openStream().once('close', resolve).write(window)
        }
      }
    })
    for (const { muxer } of [first, second]) {
      expect(muxer.isOpen).toBe(true)
      muxer.destroy(new TunnelError('link_silent'))
    }
  })

  it('closes its link in order when it is stopped', async () => {
    const linked = once(relay, 'state')
    const { muxer } = await nextLink()
    await linked
    stopping.abort()
    await running
    await muxer.closed
    expect(states).toEqual([true, false])
  })

  it('gives flows 2 s when it is stopped', async () => {
    const { muxer } = await nextLink()
    const stream = muxer.openStream()
    stream.on('error', () => undefined)
    const closed = new Promise(resolve => stream.once('close', resolve))
    await new Promise<void>(resolve => {
      served = theirs => {
        theirs.on('error', () => undefined)
        resolve()
      }
    })
    const startedAt = performance.now()
    stopping.abort()
    await running
    const ranMs = performance.now() - startedAt
    expect(ranMs).toBeGreaterThan(1_900)
    expect(ranMs).toBeLessThan(4_500)
    await closed
  })
})
