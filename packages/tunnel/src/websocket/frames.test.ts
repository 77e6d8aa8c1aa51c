import { describe, expect, test } from 'vitest'
import { createFrameReader, encodeFrameHeader, OP_BINARY, OP_PING } from './frames.ts'

function readAll(isPeerMasked: boolean, pieces: Buffer[]) {
  const data: Buffer[] = []
  const controls: [number, string][] = []
  const reader = createFrameReader(isPeerMasked, {
    onData: part => data.push(Buffer.from(part)),
    onControl: (opcode, payload) => controls.push([opcode, String(payload)]),
  })
  for (const piece of pieces) reader.push(Buffer.from(piece))
  return { data: String(Buffer.concat(data)), controls }
}

const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

describe('frames', () => {
  test.each([0, 1, 125, 126, 65_535, 65_536, 1_048_576])(
    'of %i bytes are read as written',
    size => {
      for (const isMasked of [true, false]) {
        const frame = Buffer.concat([
          encodeFrameHeader(OP_BINARY, size, isMasked),
          Buffer.alloc(size, 'x'),
        ])
        expect(readAll(isMasked, [frame]).data).toBe('x'.repeat(size))
      }
    },
  )

  test('are read whatever the pieces they come in, masked by any key, with a ping in between', () => {
    // RFC 6455 section 5.7: "Hel", masked; a ping "Hello", masked; "lo" as the continuation, masked.
    const frames = bytes('0283 37fa213d 7f9f4d 8985 37fa213d 7f9f4d5158 8082 01020304 6d6d')
    const whole = { data: 'Hello', controls: [[OP_PING, 'Hello']] }
    expect(readAll(true, [frames])).toEqual(whole)
    expect(
      readAll(
        true,
        [...frames].map(byte => Buffer.from([byte])),
      ),
    ).toEqual(whole)
  })

  test.each([
    ['no mask where one is due', true, '8201 61'],
    ['a mask where none is due', false, '8281 00000000 61'],
    ['a reserved bit', false, 'c201 61'],
    ['text', false, '8101 61'],
    ['an unknown control frame', false, '8b00'],
    ['a control frame in pieces', false, '0900'],
    ['a control frame of 126 bytes', false, '897e 007e'],
    ['a continuation of nothing', false, '8001 61'],
    ['a new message inside another', false, '0201 61 0201 61'],
    ['a length longer than need be', false, '827e 007d'],
    ['a length of 64 bits longer than need be', false, '827f 0000000000000001'],
    ['a length above the limit', false, '827f 0000000000100001'],
    ['a length beyond 48 bits', false, '827f 8000000000000000'],
  ])('with %s break the protocol', (_what, isPeerMasked, hex) => {
    expect(() => readAll(isPeerMasked, [bytes(hex)])).toThrow(
      expect.objectContaining({ code: 'protocol_error' }),
    )
  })
})
