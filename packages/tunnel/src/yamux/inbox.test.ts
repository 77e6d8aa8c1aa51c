import { expect, test } from 'vitest'
import { Inbox, retain } from './inbox.ts'

/** Memory that these buffers keep alive, each piece of it counted once. */
function keptBytes(parts: Iterable<Buffer>): number {
  const pieces = new Set([...parts].map(part => part.buffer))
  return [...pieces].reduce((sum, piece) => sum + piece.byteLength, 0)
}

test.each([1, 100, 4_096, 4_097, 20_000, 32_768])(
  'parts of %i bytes, each out of a chunk of its own, keep at most about twice themselves',
  size => {
    const inbox = new Inbox()
    const count = 200
    for (let index = 0; index < count; index += 1) {
      inbox.add(Buffer.allocUnsafeSlow(64 * 1024).subarray(0, size))
      // What others copy meanwhile and let go.
      Buffer.from(Buffer.alloc(24 * 1024))
    }
    expect(inbox.bytes).toBe(count * size)
    const chunks: Buffer[] = []
    for (let chunk = inbox.take(); chunk !== null; chunk = inbox.take()) chunks.push(chunk)
    expect(chunks.reduce((sum, chunk) => sum + chunk.length, 0)).toBe(count * size)
    expect(keptBytes(chunks)).toBeLessThanOrEqual(2 * count * size + 8 * 1024)
  },
)

test('a retained byte keeps a byte', () => {
  expect(retain(Buffer.alloc(64 * 1024).subarray(5, 6)).buffer.byteLength).toBe(1)
})
