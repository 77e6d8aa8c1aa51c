import type { Writable } from 'node:stream'

/** A write of less costs much more than its bytes while it waits: some 400 bytes of objects, however short it is. */
const smallBytes = 4 * 1024

/**
 * Writes to a stream so that what waits in it costs about what it weighs: behind bytes that wait already, a small write stops the
 * writer until it was taken, and a short view of a large chunk is copied, or one byte would keep 64 KiB of other people's alive.
 * False where the writer must pause; `drain`, or `onTaken`, follows.
 */
export function writePacked(to: Writable, bytes: Buffer | string, onTaken: () => void): boolean {
  if (to.writableLength === 0) return to.write(bytes, 'latin1')
  const kept = typeof bytes === 'string' ? bytes : detach(bytes)
  if (bytes.length >= smallBytes) return to.write(kept, 'latin1')
  to.write(kept, 'latin1', error => {
    if (!error) onTaken()
  })
  return false
}

function detach(view: Buffer): Buffer {
  if (view.length * 2 >= view.buffer.byteLength) return view
  // Not from the pool, of which a slice would again keep 64 KiB.
  const copy = Buffer.allocUnsafeSlow(view.length)
  view.copy(copy)
  return copy
}
