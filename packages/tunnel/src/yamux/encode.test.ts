import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { TYPE_DATA } from './constants.ts'
import { Outbox } from './encode.ts'

const header = (stream: number, length: number) =>
  Buffer.from([0, TYPE_DATA, 0, 0, 0, 0, 0, stream, 0, 0, length >> 8, length & 0xff])

function addFrame(outbox: Outbox, stream: number, payload: Buffer): Buffer {
  outbox.addHeader(TYPE_DATA, 0, stream, payload.length)
  outbox.addPayload(payload)
  return Buffer.concat([header(stream, payload.length), payload])
}

it('keeps the bytes of outboxes apart that are filled in turns, over many slabs', () => {
  const sides = [1, 2].map(stream => ({
    stream,
    outbox: new Outbox(),
    socket: new PassThrough({ highWaterMark: 2 ** 24 }),
    expected: [] as Buffer[],
  }))
  for (let turn = 0; turn < 200; turn += 1) {
    for (const { stream, outbox, expected } of sides) {
      // Every size there is a rule for: empty, small, the longest that is copied, the shortest that is not.
      const size = [0, 300, 1300, 4096, 4097][(turn + stream) % 5] as number
      expected.push(addFrame(outbox, stream, Buffer.alloc(size, turn)))
    }
  }
  for (const { outbox, socket, expected } of sides) {
    const bytes = Buffer.concat(expected)
    expect(outbox.bytes).toBe(bytes.length)
    outbox.writeTo(socket, () => undefined)
    expect(bytes.equals(socket.read(bytes.length))).toBe(true)
  }
})

it('gives what is small to the socket in one piece', () => {
  const pieces: number[] = []
  const socket = new PassThrough()
  socket.write = ((chunk: Buffer) => pieces.push(chunk.length) > 0) as typeof socket.write
  const outbox = new Outbox()
  for (let stream = 1; stream <= 20; stream += 1) addFrame(outbox, stream, Buffer.alloc(1300))
  const { bytes } = outbox
  outbox.writeTo(socket, () => undefined)
  // A slab may end in the middle of them.
  expect(pieces.length).toBeLessThanOrEqual(2)
  expect(pieces.reduce((sum, piece) => sum + piece, 0)).toBe(bytes)
})
