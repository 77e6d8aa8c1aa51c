// Every read of a socket leaves a buffer of 16 to 64 KiB outside V8's heap, and a few hundred bytes of objects inside. V8 collects its young
// generation when the objects fill it, which is hundreds of MiB of buffers later; long before, it finds that too much hangs outside and
// marks everything, again and again: half of what a bulk transfer costs. So the young generation is collected by what was read.
const COLLECT_AFTER_BYTES = 8 * 1024 * 1024

let readBytes = 0

/** Counts bytes that a socket read into buffers of their own. Does nothing where Node runs without `--expose-gc`. */
export function countReadBytes(bytes: number): void {
  readBytes += bytes
  if (readBytes < COLLECT_AFTER_BYTES) return
  readBytes = 0
  globalThis.gc?.({ type: 'minor' })
}
