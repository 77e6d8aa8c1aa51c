import { Duplex } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { Muxer } from './muxer.ts'
import { createManualClock, wireFrame } from './test-wire.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A muxer on a line that takes bytes, and answers pings, when the test says so; its clock stands until it is moved. */
function createLine() {
  const clock = createManualClock()
  let isTaking = true
  let take = () => {}
  /** The value of the last ping that was sent. */
  let pinged = 0
  const socket = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      if (chunk.length >= 12 && chunk.readUInt16BE(0) === 2) pinged = chunk.readUInt32BE(8)
      if (isTaking) done()
      else take = done
    },
  })
  const muxer = new Muxer({ socket, role: 'server', clock })
  closers.push(() => muxer.close())
  return {
    muxer,
    clock,
    block() {
      isTaking = false
    },
    unblock() {
      isTaking = true
      take()
    },
    /** Sends the ping that is due and lets its echo come so many ms later. */
    async echoAfter(ms: number) {
      await turn()
      clock.advance(ms)
      socket.push(wireFrame([2, 2, 0, pinged]))
      await turn()
    },
  }
}

test('a line that takes one batch for more than half a second lags', async () => {
  const { muxer, clock, block, unblock } = createLine()
  await turn()
  block()
  muxer.openStream().write(Buffer.alloc(64 * 1024))
  await turn()
  clock.advance(500)
  expect(muxer.isCongested).toBe(false)
  clock.advance(1)
  expect(muxer.isCongested).toBe(true)
  unblock()
  await turn()
  expect(muxer.isCongested).toBe(false)
})

test('a line on which nothing is sent does not lag, however long', async () => {
  const { muxer, clock } = createLine()
  await turn()
  clock.advance(9_000)
  expect(muxer.isCongested).toBe(false)
})

test('a round trip above four times the smallest and 250 ms more is a queue', async () => {
  const { muxer, clock, echoAfter } = createLine()
  await echoAfter(20)
  expect([muxer.roundTripMs, muxer.isCongested]).toEqual([20, false])
  clock.advance(9_980)
  await echoAfter(330)
  expect([muxer.roundTripMs, muxer.isCongested]).toEqual([330, false])
  clock.advance(9_670)
  await echoAfter(331)
  expect([muxer.roundTripMs, muxer.isCongested]).toEqual([331, true])
  clock.advance(9_669)
  await echoAfter(25)
  expect([muxer.roundTripMs, muxer.isCongested]).toEqual([25, false])
})
