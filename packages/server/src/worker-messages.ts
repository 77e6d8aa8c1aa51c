import type { MessagePort } from 'node:worker_threads'
import type { LogLevel } from '@homeport/runtime'
import type { ServerSettings } from './config.ts'
import type { DemoHome } from './demo/seed-demo.ts'

/** What the worker is started with; `relay` is its end of the control link to the relay in the main thread. */
export interface WorkerStart {
  settings: ServerSettings
  logLevel: LogLevel
  relay: MessagePort
  /** The sample home of `--demo`. */
  demo: DemoHome | null
}

/** Told by the worker: it listens, or it could not start; then, that the sample home has its device, and that it is alive, whenever it is asked. A later fault ends the thread with a code other than 0. */
export type WorkerReport =
  | { type: 'ready'; setupLink: string | null }
  | { type: 'failed'; message: string }
  | { type: 'demo'; uid: string }
  | { type: 'alive' }

/** Told to the worker: stop in order, then exit; answer what waits, because the stop is near; or say that you are alive. */
export interface WorkerOrder {
  type: 'stop' | 'refuse' | 'ask'
}
