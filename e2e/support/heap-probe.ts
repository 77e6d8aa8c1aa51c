// Loaded with `--import` into every thread of a program that is watched. Asked by a file, all threads collect garbage, and then the main
// one writes down what is still alive. What it counts are the product's own objects, so that nothing needs to count for a test alone.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'
import { queryObjects, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'
import { Muxer } from '../../packages/tunnel/src/yamux/muxer.ts'
import { YamuxStream } from '../../packages/tunnel/src/yamux/stream.ts'

/** What is alive in a process after a collection; numbers of objects of its main thread, where relay and agent run. */
export interface HeapReport {
  readonly rssBytes: number
  readonly heapBytes: number
  readonly externalBytes: number
  readonly links: number
  readonly streams: number
  readonly sockets: number
}

const folder = process.env.HOMEPORT_PROBE_FOLDER
const lookMs = 200
/** Other threads collect meanwhile, in ms. */
const otherThreadsMs = 500

if (folder !== undefined) {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const channel = new BroadcastChannel('homeport-heap-probe')
  if (isMainThread) {
    // Signals are no way to ask: the product takes most of them for the order to end.
    const file = join(folder, String(process.pid))
    setInterval(() => {
      if (!existsSync(`${file}.asked`)) return
      rmSync(`${file}.asked`)
      channel.postMessage('collect')
      setTimeout(() => {
        collect()
        writeFileSync(`${file}.part`, JSON.stringify(report()))
        renameSync(`${file}.part`, `${file}.json`)
      }, otherThreadsMs)
    }, lookMs).unref()
  } else channel.onmessage = () => collect()
  channel.unref()
}

const countOf = (kind: unknown) => queryObjects(kind as () => void, { format: 'count' }) as number

function report(): HeapReport {
  const { rss, heapUsed, external } = process.memoryUsage()
  return {
    rssBytes: rss,
    heapBytes: heapUsed,
    externalBytes: external,
    links: countOf(Muxer),
    streams: countOf(YamuxStream),
    sockets: countOf(Socket),
  }
}
