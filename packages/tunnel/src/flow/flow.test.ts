import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { Muxer } from '../yamux/muxer.ts'
import type { YamuxStream } from '../yamux/stream.ts'
import { connectPair, createManualClock, createRandom } from '../yamux/test-wire.ts'
import { acceptFlow } from './accept-flow.ts'
import { encodeFlowHead, encodeStatus, type FlowHead, parseFlowHead } from './head.ts'
import { openFlow } from './open-flow.ts'

const head: FlowHead = {
  record: 7,
  target: 'https://10.0.0.2:5001',
  flow: 'f1',
  tls: { verify: false, serverName: 'nas.lan' },
}
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Two muxers, and the first stream the relay opens as the agent sees it. */
async function link() {
  const [near, far] = await connectPair()
  const agent = new Muxer({ socket: near, role: 'client' })
  const relay = new Muxer({ socket: far, role: 'server' })
  closers.push(() => agent.close())
  closers.push(() => relay.close())
  const incoming = new Promise<YamuxStream>(resolve => agent.acceptStreams(resolve))
  return { agent, relay, incoming }
}

function closeOf(stream: YamuxStream): Promise<void> {
  return new Promise(resolve => stream.once('close', () => resolve()))
}

describe('the relay opens', () => {
  test('early bytes reach the agent before it answers', async () => {
    const { relay, incoming } = await link()
    const opening = openFlow(relay, head, { timeoutMs: 5_000, early: Buffer.from('GET /') })
    const flow = await acceptFlow(await incoming)
    expect(flow.head).toEqual(head)
    expect(String((await once(flow.stream, 'data'))[0])).toBe('GET /')
    flow.accept().write('HTTP/1.1 200 OK')
    expect(String((await once(await opening, 'data'))[0])).toBe('HTTP/1.1 200 OK')
  })

  test('a target that takes too long is a flow_timeout and resets the stream', async () => {
    const { relay, incoming } = await link()
    const clock = createManualClock()
    const opening = openFlow(relay, head, { timeoutMs: 3_000, clock })
    opening.catch(() => {})
    const { stream } = await acceptFlow(await incoming)
    clock.advance(3_000)
    await expect(opening).rejects.toMatchObject({ code: 'flow_timeout' })
    await closeOf(stream as YamuxStream)
    expect(relay.streamCount).toBe(0)
  })

  test('a visitor that leaves cancels, before and while the target is dialled', async () => {
    const { relay, incoming } = await link()
    const left = AbortSignal.abort()
    const never = openFlow(relay, head, { timeoutMs: 5_000, signal: left })
    await expect(never).rejects.toMatchObject({ code: 'flow_cancelled' })
    const visitor = new AbortController()
    const opening = openFlow(relay, head, { timeoutMs: 5_000, signal: visitor.signal })
    opening.catch(() => {})
    const { stream } = await acceptFlow(await incoming)
    visitor.abort()
    await expect(opening).rejects.toMatchObject({ code: 'flow_cancelled' })
    await closeOf(stream as YamuxStream)
    expect(relay.streamCount).toBe(0)
  })

  test('a reset, an end without a status and a lost link are told apart', async () => {
    const first = await link()
    const reset = openFlow(first.relay, head, { timeoutMs: 5_000 })
    reset.catch(() => {})
    ;(await first.incoming).destroy()
    await expect(reset).rejects.toMatchObject({ code: 'stream_reset' })
    const second = await link()
    const lost = openFlow(second.relay, head, { timeoutMs: 5_000 })
    lost.catch(() => {})
    await second.incoming
    second.agent.close()
    await expect(lost).rejects.toMatchObject({ code: 'link_lost' })
    const third = await link()
    const ended = openFlow(third.relay, head, { timeoutMs: 5_000 })
    ended.catch(() => {})
    ;(await third.incoming).end()
    await expect(ended).rejects.toMatchObject({ code: 'stream_reset' })
  })

  test.each([
    [encodeStatus(60_000, 'new'), { code: 'internal' }],
    [encodeStatus(3, '很'.repeat(400)), { code: 'target_unreachable' }],
    [Buffer.from([0, 1, 2, 1]), { code: 'protocol_error' }],
  ])('a status of the agent is read with care (%#)', async (status, expected) => {
    const { relay, incoming } = await link()
    const opening = openFlow(relay, head, { timeoutMs: 5_000 })
    opening.catch(() => {})
    ;(await incoming).write(status)
    await expect(opening).rejects.toMatchObject(expected)
  })

  test('a head that is too long is refused before a stream is opened', async () => {
    const { relay } = await link()
    const long = { ...head, flow: 'x'.repeat(9_000) }
    const opening = openFlow(relay, long, { timeoutMs: 5_000 })
    await expect(opening).rejects.toMatchObject({ code: 'head_invalid' })
    expect(relay.streamCount).toBe(0)
  })
})

describe('the agent accepts', () => {
  const invalid: [string, Buffer][] = [
    ['a length above the limit', Buffer.from([0x20, 1])],
    ['what is not JSON', Buffer.from([0, 1, 0x7b])],
    ['an empty head', Buffer.from([0, 0])],
    ['a negative record', headBytes({ record: -1, target: 't', flow: 'f' })],
    ['a record by inheritance', headBytes({ __proto__: { record: 1 }, target: 't', flow: 'f' })],
    ['a target too long', headBytes({ record: 1, target: 't'.repeat(2049), flow: 'f' })],
    ['tls that is no object', headBytes({ record: 1, target: 't', flow: 'f', tls: true })],
  ]
  test.each(invalid)('%s is answered with head_invalid', async (_what, bytes) => {
    const { relay, incoming } = await link()
    const stream = relay.openStream()
    stream.write(bytes)
    const accepting = acceptFlow(await incoming)
    await expect(accepting).rejects.toMatchObject({ code: 'head_invalid' })
    const [status] = (await once(stream, 'data')) as [Buffer]
    expect(status.readUInt16BE(0)).toBe(9)
  })

  test('a head that does not come resets the stream', async () => {
    const { relay, incoming } = await link()
    const clock = createManualClock()
    const stream = relay.openStream()
    stream.write(encodeFlowHead(head).subarray(0, 10))
    const accepting = acceptFlow(await incoming, { clock })
    accepting.catch(() => {})
    clock.advance(10_000)
    await expect(accepting).rejects.toMatchObject({ code: 'flow_timeout' })
    await closeOf(stream)
  })

  test('a head survives any cut', async () => {
    const random = createRandom(5)
    const { relay, incoming } = await link()
    const stream = relay.openStream()
    const bytes = Buffer.concat([encodeFlowHead(head), Buffer.from('rest')])
    const accepting = incoming.then(acceptFlow)
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + Math.floor(random() * 5)
      await new Promise<void>(resolve => {
        stream.write(bytes.subarray(at, at + size), () => setImmediate(resolve))
      })
      at += size
    }
    const flow = await accepting
    expect(flow.head).toEqual(head)
    stream.end()
    let rest = ''
    for await (const chunk of flow.stream) rest += String(chunk)
    expect(rest).toBe('rest')
  })
})

test('a head without tls stays without', () => {
  const { tls, ...plain } = head
  expect(tls).toBeDefined()
  expect(parseFlowHead(encodeFlowHead(plain).subarray(2))).toEqual({ ...plain, tls: undefined })
})

function headBytes(value: object): Buffer {
  const body = Buffer.from(JSON.stringify(value))
  return Buffer.concat([Buffer.from([body.length >> 8, body.length & 255]), body])
}
