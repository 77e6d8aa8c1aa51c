import type { MessagePort } from 'node:worker_threads'
import type { LogLevel } from '@homeport/runtime'
import type { ServerSettings } from './config.ts'

/** What the worker is started with; `relay` is its end of the control link to the relay in the main thread. */
export interface WorkerStart {
  settings: ServerSettings
  logLevel: LogLevel
  relay: MessagePort
}

/** Told by the worker: it listens, or it could not start. A later fault ends the thread with a code other than 0. */
export type WorkerReport =
  | { type: 'ready'; setupLink: string | null }
  | { type: 'failed'; message: string }

/** Told to the worker: stop in order, then exit. */
export interface WorkerOrder {
  type: 'stop'
}
