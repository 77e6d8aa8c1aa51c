import { existsSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { isMainThread } from 'node:worker_threads'

// Loaded into `homeport up` by a test (`--import`): its server's thread dies when the file that the environment
// names appears, and does not start while it is there.
const file = process.env.HOMEPORT_TEST_BREAK_SERVER

function breakIfTold(): void {
  if (file !== undefined && existsSync(file)) throw new Error('the server is broken')
}

if (!isMainThread && file !== undefined) {
  breakIfTold()
  watch(dirname(file), (_, name) => {
    if (name === basename(file)) breakIfTold()
  }).unref()
}
