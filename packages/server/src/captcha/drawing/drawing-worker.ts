import { parentPort } from 'node:worker_threads'
import { createArtist } from './artist.ts'
import type { DrawOrder, DrawReport } from './drawing-messages.ts'
import { createSystemRandom } from './random.ts'

// The entry of the thread that `createDrawingPool` starts; it has no other use.

if (parentPort === null) throw new Error('this file runs as a worker thread')
const pool = parentPort
const draw = createArtist(createSystemRandom())
pool.on('message', ({ kind }: DrawOrder) => {
  const report: DrawReport = { drawn: draw(kind) }
  pool.postMessage(report)
})
