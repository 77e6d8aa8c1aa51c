import { once } from 'node:events'
import { afterEach, describe, expect, test } from 'vitest'
import { Muxer } from '../yamux/muxer.ts'
import type { YamuxStream } from '../yamux/stream.ts'
import { connectPair, createRandom } from '../yamux/test-wire.ts'
import { acceptFlow } from './accept-flow.ts'
import type { FlowHead } from './head.ts'
import { moveFlow } from './move-flow.ts'
import { openFlow } from './open-flow.ts'

const head: FlowHead = { record: 7, target: 'tcp://10.0.0.2:22', flow: 'f1' }
const timeoutMs = 5_000
const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A relay and an agent with so many links, and a flow that is open on the first of them. */
async function openOnFirst(linkCount: number, { refusesMoves = false } = {}) {
  const accepted = Promise.withResolvers<YamuxStream>()
  let agentStream: YamuxStream | null = null
  async function serve(stream: YamuxStream): Promise<void> {
    const flow = await acceptFlow(stream)
    if (refusesMoves && flow.head.isMove) return flow.refuse('flow_cancelled')
    flow.accept()
    if (flow.head.isMove) agentStream?.continueOn(stream)
    else accepted.resolve(stream)
    agentStream = stream
  }
  const links = await Promise.all(
    Array.from({ length: linkCount }, async () => {
      const [near, far] = await connectPair()
      const agent = new Muxer({ socket: near, role: 'client' })
      const relay = new Muxer({ socket: far, role: 'server' })
      agent.acceptStreams(stream => void serve(stream))
      closers.push(() => relay.close())
      closers.push(() => agent.close())
      return { agent, relay }
    }),
  )
  const [first, ...others] = links as [(typeof links)[0], ...typeof links]
  const visitor = await openFlow(first.relay, head, { timeoutMs })
  return { first, others, visitor, target: await accepted.promise }
}

/** Bytes in which every word tells its place, in pieces of all sizes. */
function* pieces(total: number, seed: number): Generator<Buffer> {
  const random = createRandom(seed)
  for (let at = 0; at < total; ) {
    const size = Math.min(total - at, 4 + 4 * Math.floor(random() * random() * 20_000))
    const piece = Buffer.alloc(size)
    for (let word = 0; word < size; word += 4) piece.writeUInt32BE(at + word, word)
    at += size
    yield piece
  }
}

async function send(stream: YamuxStream, total: number, seed: number): Promise<void> {
  for (const piece of pieces(total, seed)) if (!stream.write(piece)) await once(stream, 'drain')
  stream.end()
}

/** Reads to the end; tells how many bytes stood where they belong before the first that did not. */
async function countRight(stream: YamuxStream, on?: (at: number) => void): Promise<number> {
  let bytes = Buffer.alloc(0)
  let right = 0
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    while (bytes.length >= 4) {
      if (bytes.readUInt32BE(0) !== right) return right
      right += 4
      bytes = bytes.subarray(4)
    }
    on?.(right)
  }
  return right
}

const closeOf = (stream: YamuxStream) => new Promise(resolve => stream.once('close', resolve))

const total = 4 * 1024 * 1024

describe('a flow that moves', () => {
  test.each([1, 2, 3])('loses and mixes nothing in either direction (seed %i)', async seed => {
    const { first, others, visitor, target } = await openOnFirst(3)
    let current = visitor
    let wait = 1
    const moving: Promise<unknown>[] = []
    const moveOn = (at: number) => {
      const to = others[wait - 1]
      if (to === undefined || at < wait * 1024 * 1024) return
      wait += 1
      const done = moveFlow(current, head, to.relay, { timeoutMs })
      moving.push(done.then(next => (current = next)))
    }
    const [up, down] = await Promise.all([
      countRight(target, seed === 1 ? undefined : moveOn),
      countRight(visitor, seed === 1 ? moveOn : undefined),
      send(visitor, total, seed),
      send(target, total, seed + 100),
    ])
    await Promise.all(moving)
    expect({ up, down, moves: moving.length }).toEqual({ up: total, down: total, moves: 2 })
    // Nothing of it is left on the link where it began.
    expect(first.relay.streamCount).toBe(0)
    expect(first.agent.streamCount).toBe(0)
  })

  test('frees the link that it left, which may then end', async () => {
    const { first, others, visitor, target } = await openOnFirst(2)
    await moveFlow(visitor, head, (others[0] as typeof first).relay, { timeoutMs })
    visitor.write('through the second')
    expect(String((await once(target, 'data'))[0])).toBe('through the second')
    target.write('and back')
    expect(String((await once(visitor, 'data'))[0])).toBe('and back')
    expect(first.relay.streamCount).toBe(0)
    first.agent.close()
    await first.relay.closed
    visitor.write('still here')
    expect(String((await once(target, 'data'))[0])).toBe('still here')
  })

  test('keeps its ends: what was half-closed before ends, what was not goes on', async () => {
    const { first, others, visitor, target } = await openOnFirst(2)
    visitor.end('question')
    await moveFlow(visitor, head, (others[0] as typeof first).relay, { timeoutMs })
    let question = ''
    for await (const chunk of target.iterator({ destroyOnReturn: false })) question += chunk
    expect(question).toBe('question')
    target.end('answer')
    let answer = ''
    for await (const chunk of visitor) answer += chunk
    expect(answer).toBe('answer')
  })

  test('stays where it is when the agent does not agree, and ends as it would have', async () => {
    const { first, others, visitor, target } = await openOnFirst(2, { refusesMoves: true })
    const moving = moveFlow(visitor, head, (others[0] as typeof first).relay, { timeoutMs })
    target.end('all')
    await expect(moving).rejects.toMatchObject({ code: 'flow_cancelled' })
    let text = ''
    for await (const chunk of visitor.iterator({ destroyOnReturn: false })) text += chunk
    expect(text).toBe('all')
    visitor.end('bye')
    expect(String((await once(target, 'data'))[0])).toBe('bye')
  })

  test('breaks on both sides when the link it moved to breaks', async () => {
    const { first, others, visitor, target } = await openOnFirst(2)
    const second = others[0] as typeof first
    await moveFlow(visitor, head, second.relay, { timeoutMs })
    visitor.write('x')
    await once(target, 'data')
    const closed = [closeOf(visitor), closeOf(target)]
    second.agent.close()
    await Promise.all(closed)
    expect([visitor.readableEnded, target.readableEnded]).toEqual([false, false])
  })

  test('is reset as a whole when one side gives up', async () => {
    const { first, others, visitor, target } = await openOnFirst(2)
    const second = others[0] as typeof first
    await moveFlow(visitor, head, second.relay, { timeoutMs })
    const closed = closeOf(target)
    visitor.destroy()
    await closed
    expect(target.readableEnded).toBe(false)
  })
})
