import { expect, test } from 'vitest'
import { Muxer } from './muxer.ts'
import { connectPair, createManualClock, RawPeer, wireFrame } from './test-wire.ts'

async function start() {
  const [near, far] = await connectPair()
  const clock = createManualClock()
  const muxer = new Muxer({ socket: near, role: 'client', clock })
  return { muxer, clock, far, peer: new RawPeer(far) }
}

test('a link that hears nothing for 20 s is dead, not earlier', async () => {
  const { muxer, clock, far } = await start()
  clock.advance(19_999)
  expect(muxer.isOpen).toBe(true)
  clock.advance(1)
  expect(await muxer.closed).toMatchObject({ code: 'link_silent', retry: 'now' })
  far.destroy()
})

test('any byte received is a sign of life', async () => {
  const { muxer, clock, peer } = await start()
  for (let i = 0; i < 5; i += 1) {
    clock.advance(15_000)
    await peer.settle()
  }
  expect(muxer.isOpen).toBe(true)
  clock.advance(20_000)
  expect(await muxer.closed).toMatchObject({ code: 'link_silent' })
})

test('a ping leaves at once and every 10 s, and its echo gives the round trip', async () => {
  const [near, far] = await connectPair()
  const clock = createManualClock()
  const muxer = new Muxer({ socket: near, role: 'client', clock })
  const heard = () => new Promise<Buffer>(resolve => far.once('data', resolve))
  const first = await heard()
  expect(first).toEqual(wireFrame([2, 1, 0, 1]))
  clock.advance(30)
  expect(muxer.roundTripMs).toBe(0)
  // An echo of another value is not believed.
  far.write(Buffer.concat([wireFrame([2, 2, 0, 7]), wireFrame([2, 2, 0, 1])]))
  const nextPing = heard()
  far.write(wireFrame([2, 1, 0, 5]))
  expect(await nextPing).toEqual(wireFrame([2, 2, 0, 5]))
  expect(muxer.roundTripMs).toBe(30)
  const second = heard()
  clock.advance(9_970)
  expect(await second).toEqual(wireFrame([2, 1, 0, 2]))
  muxer.close()
})

test('a stall of this process is not taken for silence of the peer', async () => {
  const [near, far] = await connectPair()
  const clock = createManualClock()
  const late: (() => void)[] = []
  // Timers that fire a minute late, as after a blocked event loop.
  const setTimeout = (run: () => void) => late.push(run)
  const muxer = new Muxer({ socket: near, role: 'client', clock: { ...clock, setTimeout } })
  clock.advance(60_000)
  late.shift()?.()
  expect(muxer.isOpen).toBe(true)
  clock.advance(1_000)
  late.shift()?.()
  expect(await muxer.closed).toMatchObject({ code: 'link_silent' })
  far.destroy()
})
