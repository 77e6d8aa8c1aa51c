import { expect, test } from 'vitest'
import { createChunkScan } from './chunks.ts'
import { doorLimits } from './limits.ts'
import { Refusal } from './refusal.ts'

/** Offset of the end of the body in `text` that comes in the given pieces; null while it goes on. */
function scan(...pieces: string[]): number | null {
  const body = createChunkScan(doorLimits)
  let total = 0
  for (const piece of pieces) {
    total += body.take(Buffer.from(piece, 'latin1'))
    if (body.isDone()) return total
  }
  return null
}

const accepted = [
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  '5;a=b;c="d;e"\r\nhello\r\n0;x\r\n\r\n',
  '0000a\r\n0123456789\r\n000\r\n\r\n',
  '3\r\n\r\n\r\r\n0\r\n\r\n',
  '1\r\na\r\n0\r\nX-Checksum: abc\r\nY: z\r\n\r\n',
]

test.each(accepted)('finds the end of %j wherever it is split', text => {
  const behind = `${text}GET / HTTP/1.1`
  expect(scan(behind)).toBe(text.length)
  expect(scan(...behind)).toBe(text.length)
  for (let at = 1; at < text.length; at++) {
    expect(scan(text.slice(0, at), text.slice(at))).toBe(text.length)
    expect(scan(text.slice(0, at))).toBeNull()
  }
})

test.each([
  ['no size', '\r\n'],
  ['a sign', '+5\r\nhello\r\n'],
  ['a minus', '-1\r\n'],
  ['0x', '0x5\r\nhello\r\n'],
  ['a leading space', ' 5\r\nhello\r\n'],
  ['a trailing space', '5 \r\nhello\r\n'],
  ['a space before an extension', '5 ;a\r\nhello\r\n'],
  ['an underscore', '1_0\r\n'],
  ['a size over 2^52', '10000000000000\r\n'],
  ['a wrapping size', 'fffffffffffffffff\r\n'],
  ['a bare LF after the size', '5\nhello\r\n'],
  ['a bare CR after the size', '5\rhello\r\n'],
  ['a bare LF in an extension', '5;a\nhello\r\n'],
  ['NUL in an extension', '5;\0\r\nhello\r\n'],
  ['a long extension', `5;${'a'.repeat(17_000)}\r\n`],
  ['many small extensions', `1;${'a'.repeat(200)}\r\nx\r\n`.repeat(90)],
  ['data longer than its size', '5\r\nhello!\r\n'],
  ['a bare LF after data', '5\r\nhello\n'],
  ['a bare CR after data', '5\r\nhello\rX'],
  ['a bare LF as the end', '0\r\n\n'],
  ['a bare CR as the end', '0\r\n\rX'],
  ['a trailer without a colon', '0\r\nabc\r\n\r\n'],
  ['a folded trailer', '0\r\nA: b\r\n c\r\n\r\n'],
  ['a trailer with a bare LF', '0\r\nA: b\nC: d\r\n\r\n'],
  ['a length as trailer', '0\r\nContent-Length: 5\r\n\r\n'],
  ['a coding as trailer', '0\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['Host as trailer', '0\r\nhost: evil\r\n\r\n'],
  ['an identity as trailer', '0\r\nX_Forwarded_For: 1.2.3.4\r\n\r\n'],
  ['a cookie as trailer', '0\r\nSet-Cookie: a=b\r\n\r\n'],
  ['long trailers', `0\r\n${'A: b\r\n'.repeat(2000)}\r\n`],
])('refuses %s', (_, text) => {
  expect(() => scan(text)).toThrow(Refusal)
  expect(() => scan(...text)).toThrow(Refusal)
})
