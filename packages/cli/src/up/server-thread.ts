import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { type ControlChannel, createPortChannel } from '@homeport/contract/control'
import { createBackoff, type Logger, type LogLevel } from '@homeport/runtime'
import {
  type DemoHome,
  type ServerSettings,
  type ServerWorker,
  startServerWorker,
} from '@homeport/server'

/** How the server's thread is run. */
export interface ServerThreadOptions {
  settings: ServerSettings
  logLevel: LogLevel
  logger: Logger
  demo: DemoHome | null
  onDemo: (uid: string) => void
}

/** The server in a thread of its own; a thread that dies is started again, and the relay attaches to the new one. */
export interface ServerThread {
  /** Rejects where the first start fails: the configuration is wrong then. */
  start(): Promise<void>
  stop(): Promise<void>
  setupLink(): string | null
  /** The relay's end of the control link to the thread that runs now; rejects while none does. */
  connectControl(): Promise<ControlChannel>
}

/** Makes a thread that is not started yet. */
export function createServerThread(options: ServerThreadOptions): ServerThread {
  const { logger } = options
  const backoff = createBackoff({ minMs: 500, maxMs: 30_000 })
  let worker: ServerWorker | null = null
  let port: MessagePort | null = null
  let restart: NodeJS.Timeout | undefined
  let isStopping = false

  async function run(): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    const started = await startServerWorker(options.settings, {
      logLevel: options.logLevel,
      relay: port2,
      demo: options.demo,
      onDemo: options.onDemo,
    })
    worker = started
    port = port1
    void started.ended.then(reason => {
      if (isStopping) return
      logger.error({ err: reason }, 'the server ended; starting it again')
      again()
    })
  }

  function again(): void {
    if (isStopping) return
    restart = setTimeout(() => {
      run().then(backoff.reset, error => {
        logger.error({ err: error }, 'the server did not start again')
        again()
      })
    }, backoff.next())
  }

  return {
    start: run,
    async stop() {
      isStopping = true
      clearTimeout(restart)
      await worker?.stop()
    },
    setupLink: () => worker?.setupLink ?? null,
    async connectControl() {
      if (port === null) throw new Error('the server does not run')
      const channel = createPortChannel(port)
      // A port carries one link; the next comes with the next thread.
      port = null
      return channel
    },
  }
}
