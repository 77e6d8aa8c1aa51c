import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { writePacked } from './write-packed.ts'

/** A stream that takes what is written when the test says so. */
function createSink() {
  const taken: Buffer[] = []
  let take = () => {}
  const sink = new Writable({
    highWaterMark: 64 * 1024,
    write(chunk: Buffer, _encoding, done) {
      take = () => {
        taken.push(chunk)
        done()
      }
    },
  })
  return { sink, taken, take: () => take() }
}

const viewOf = (bytes: number) => Buffer.alloc(64 * 1024, 1).subarray(0, bytes)
const nobody = () => undefined

test('a small write behind others stops the writer until it was taken', async () => {
  const { sink, taken, take } = createSink()
  expect(writePacked(sink, viewOf(1), nobody)).toBe(true)
  const room = new Promise<void>(resolve => {
    expect(writePacked(sink, 'b', resolve)).toBe(false)
  })
  take()
  await new Promise(resolve => process.nextTick(resolve))
  take()
  await room
  expect(Buffer.concat(taken).toString('latin1')).toBe('\u0001b')
  expect(writePacked(sink, viewOf(1), nobody)).toBe(true)
})

test('large writes go on up to the mark of the stream', () => {
  const { sink } = createSink()
  const answers = Array.from({ length: 4 }, () => writePacked(sink, viewOf(20_000), nobody))
  expect(answers).toEqual([true, true, true, false])
})

test('what waits does not keep a larger chunk alive', () => {
  const { sink, taken, take } = createSink()
  writePacked(sink, viewOf(10_000), nobody)
  writePacked(sink, viewOf(10_000), nobody)
  writePacked(sink, viewOf(5), nobody)
  for (let round = 0; round < 3; round += 1) take()
  expect(taken.map(chunk => chunk.length)).toEqual([10_000, 10_000, 5])
  expect(taken.map(chunk => chunk.buffer.byteLength)).toEqual([64 * 1024, 10_000, 5])
})

test('a stream that breaks asks for nothing more', async () => {
  const { sink } = createSink()
  sink.on('error', nobody)
  let asked = 0
  writePacked(sink, 'a', nobody)
  writePacked(sink, 'b', () => {
    asked += 1
  })
  const closed = new Promise(resolve => sink.once('close', resolve))
  sink.destroy(new Error('gone'))
  await closed
  expect(asked).toBe(0)
})
