import { existsSync, readFileSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Loaded into `homeport up` by a test (`--import`): its server's thread dies when the file that the environment
// names appears, and does not start while it is there. Where the file says `hang`, the thread hangs instead of dying.
const file = process.env.HOMEPORT_TEST_BREAK_SERVER

function breakIfTold(): void {
  if (file === undefined || !existsSync(file)) return
  if (readFileSync(file, 'utf8') !== 'hang') throw new Error('the server is broken')
  // Nobody ever wakes it: no timer, no message and no connection is served by this thread from now on.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
}

if (!isMainThread && file !== undefined) {
  breakIfTold()
  watch(dirname(file), (_, name) => {
    if (name === basename(file)) breakIfTold()
  }).unref()
}
