import { type MessagePort, Worker } from 'node:worker_threads'
import { type LogLevel, systemClock } from '@homeport/runtime'
import type { ServerSettings } from './config.ts'
import type { DemoHome } from './demo/seed-demo.ts'
import { watchHeartbeat } from './heartbeat.ts'
import type { WorkerOrder, WorkerReport, WorkerStart } from './worker-messages.ts'

/** A server that did not come up within this many ms never will. */
const startTimeoutMs = 60_000

/** A server that did not end within this many ms of its order is cut off; commits that were acknowledged are on disk. */
const stopTimeoutMs = 8_000

/** What the thread is given beside its settings. */
export interface ServerWorkerOptions {
  logLevel: LogLevel
  /** The thread's end of the control link. */
  relay: MessagePort
  /** The sample home of `--demo`; null without one. */
  demo: DemoHome | null
  /** Told the uid of the sample home's device. */
  onDemo: (uid: string) => void
  /** Told when the thread does not answer any more, and when it does again. */
  onSilent: (isSilent: boolean) => void
}

/** A server in a thread of its own. */
export interface ServerWorker {
  /** The one-time link that makes the administrator; null where there was an account at the start. */
  readonly setupLink: string | null
  /** Resolves when the thread has ended: with null after `stop`, else with the reason. */
  readonly ended: Promise<Error | null>
  /** Does the thread not answer? One that hangs is ended after a minute. */
  isSilent(): boolean
  /** Answers what would wait for long; the stop is near. */
  refuse(): void
  /** Stops the server in order; every caller waits for one stop. */
  stop(): Promise<void>
}

/**
 * Starts a server in a worker thread, so that its commits and hashes stall nobody's bytes. Rejects with the server's own words when it cannot start.
 */
export async function startServerWorker(
  settings: ServerSettings,
  { logLevel, relay, demo, onDemo, onSilent }: ServerWorkerOptions,
): Promise<ServerWorker> {
  const start: WorkerStart = { settings, logLevel, relay, demo }
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: start,
    transferList: [relay],
    // What the process's own options say is meant for the relay's bytes; requests leave objects behind, as Node expects.
    resourceLimits: { maxYoungGenerationSizeMb: 48 },
  })
  let fault: Error | null = null
  let isStopping = false
  const ended = new Promise<Error | null>(resolve => {
    worker.once('error', (error: Error) => {
      fault = error
    })
    worker.once('exit', code => {
      if (isStopping) return resolve(null)
      resolve(fault ?? new Error(`the server's thread ended with code ${code}`))
    })
  })

  worker.on('message', (report: WorkerReport) => {
    if (report.type === 'demo') onDemo(report.uid)
    if (report.type === 'alive') heartbeat?.hear()
  })
  const setupLink = await waitForStart(worker, ended)
  const order = (type: WorkerOrder['type']) => worker.postMessage({ type } satisfies WorkerOrder)
  const heartbeat = watchHeartbeat({
    clock: systemClock,
    ask: () => order('ask'),
    onSilent,
    onHang() {
      fault = new Error("the server's thread hung: it did not answer for a minute")
      // JavaScript that runs for ever is broken off; commits that were acknowledged are on disk.
      void worker.terminate()
    },
  })
  void ended.then(heartbeat.stop)

  async function stop(): Promise<void> {
    isStopping = true
    heartbeat.stop()
    order('stop')
    const timer = setTimeout(() => void worker.terminate(), stopTimeoutMs)
    await ended
    clearTimeout(timer)
  }
  let stopped: Promise<void> | undefined
  return {
    setupLink,
    ended,
    isSilent: heartbeat.isSilent,
    refuse: () => order('refuse'),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}

async function waitForStart(worker: Worker, ended: Promise<Error | null>): Promise<string | null> {
  const { promise, resolve, reject } = Promise.withResolvers<string | null>()
  // Not `once`: under `node --watch` the first messages are node's own.
  worker.on('message', (report: WorkerReport) => {
    if (report.type === 'ready') resolve(report.setupLink)
    if (report.type === 'failed') reject(new Error(report.message))
  })
  void ended.then(reason => reject(reason ?? new Error('the server stopped before it was ready')))
  const timer = setTimeout(() => {
    reject(new Error('the server did not start in time'))
    void worker.terminate()
  }, startTimeoutMs)
  try {
    return await promise
  } finally {
    clearTimeout(timer)
  }
}
