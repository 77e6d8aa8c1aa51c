import { expect, test } from 'vitest'
import { TunnelError } from '../errors.ts'
import { Decoder } from './decode.ts'
import { createRandom, wireFrame } from './test-wire.ts'

function record() {
  const seen: string[] = []
  let payload = ''
  const decoder = new Decoder({
    onFrame: (type, flags, streamId, length) => seen.push(`${type} ${flags} ${streamId} ${length}`),
    onPayload: (part, isLast) => {
      payload += part.toString('latin1')
      if (!isLast) return
      seen.push(payload)
      payload = ''
    },
  })
  return { seen, decoder }
}

test.each([1, 2, 3, 4, 5])('frames come out the same however they are chunked (seed %i)', seed => {
  const random = createRandom(seed)
  const expected: string[] = []
  const frames: Buffer[] = []
  for (let i = 0; i < 300; i += 1) {
    const isData = random() < 0.6
    const body = isData ? 'abcdefgh'.repeat(Math.floor(random() * 500)) : ''
    const [type, flags, streamId] = [isData ? 0 : 1, Math.floor(random() * 16), 1 + i]
    const length = isData ? body.length : Math.floor(random() * 0xffffffff)
    frames.push(wireFrame([type, flags, streamId, length], body))
    expected.push(`${type} ${flags} ${streamId} ${length}`)
    if (body !== '') expected.push(body)
  }
  const { seen, decoder } = record()
  const all = Buffer.concat(frames)
  for (let at = 0; at < all.length; ) {
    const size = random() < 0.3 ? 1 + Math.floor(random() * 12) : Math.floor(random() * 9_000)
    decoder.push(all.subarray(at, at + size))
    at += size
  }
  expect(seen).toEqual(expected)
})

test('payload is a view of what was pushed, not a copy', () => {
  const chunk = wireFrame([0, 0, 1], 'payload')
  const parts: Buffer[] = []
  new Decoder({ onFrame: () => {}, onPayload: part => parts.push(part) }).push(chunk)
  expect(parts[0]?.buffer).toBe(chunk.buffer)
})

test('random bytes are refused as a protocol error or held, never anything else', () => {
  const random = createRandom(99)
  let refused = 0
  for (let round = 0; round < 3_000; round += 1) {
    const garbage = Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256)))
    // Half of them begin like a frame, so that more than the version is put to the test.
    if (round % 2 === 0) garbage.writeUInt16BE(Math.floor(random() * 6), 0)
    try {
      record().decoder.push(garbage)
    } catch (error) {
      expect(error).toBeInstanceOf(TunnelError)
      expect(error).toMatchObject({ code: 'protocol_error' })
      refused += 1
    }
  }
  expect(refused).toBeGreaterThan(2_900)
})
