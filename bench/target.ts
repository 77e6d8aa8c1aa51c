import { createHash, randomBytes } from 'node:crypto'
import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startNginx } from './peers/nginx.ts'
import { type Child, findFreePort, nextMessage, type Stage } from './stage.ts'
import type { Ground, Way } from './way.ts'

/** Body of the small answer. */
export const smallBody = 'x'.repeat(1024)
/** Bytes of one bulk body, either way. */
export const bulkBytes = 256 * 1024 * 1024
const sampleBytes = 1024 * 1024

/** What stands behind every way. */
export interface Target {
  /** nginx: `/` is 1 KiB, `/bulk` is `bulkBytes` of zeros, `/sample` is 1 MiB of random bytes. */
  readonly targetPort: number
  /** Takes bodies of any length and answers with their length. */
  readonly sinkPort: number
  /** SHA-256 of `/sample`, hexadecimal. */
  readonly sampleDigest: string
  /** Body bytes that have arrived at the sink so far. */
  countArrived(): Promise<number>
}

/** The way with nothing between: what load and target can do at most. */
export function describeDirect({ targetPort, sinkPort }: Ground): Way {
  return {
    id: 'direct',
    name: 'nothing between',
    down: { port: targetPort, host: 'localhost', isTls: false },
    up: { port: sinkPort, host: 'localhost', isTls: false },
    sides: [],
    isExtra: true,
  }
}

/** Starts the nginx and the sink that all ways lead to. */
export async function startTarget(stage: Stage): Promise<Target> {
  const root = join(stage.folder, 'root')
  mkdirSync(root)
  const sample = randomBytes(sampleBytes)
  writeFileSync(join(root, 'sample'), sample)
  // Sparse: it takes no room on the disk, and the page cache holds it after the first turn.
  const bulk = openSync(join(root, 'bulk'), 'w')
  ftruncateSync(bulk, bulkBytes)
  closeSync(bulk)

  const targetPort = await findFreePort()
  await startNginx(stage, 'target', targetPort, {
    http: `sendfile on;
      server { listen 127.0.0.1:${targetPort}; root ${root}; location = / { return 200 "${smallBody}"; } }`,
  })
  const sink = stage.startNode(join(import.meta.dirname, 'sink.ts'))
  const { port: sinkPort } = (await nextMessage(sink)) as { port: number }
  return {
    targetPort,
    sinkPort,
    sampleDigest: createHash('sha256').update(sample).digest('hex'),
    countArrived: () => askSink(sink),
  }
}

async function askSink(sink: Child): Promise<number> {
  const answer = nextMessage(sink)
  sink.process.send('count')
  const { arrived } = (await answer) as { arrived: number }
  return arrived
}
