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
  /** Told the administrator's link when a thread that was started again made a new one: the older one is void. */
  onSetupLink: (url: string) => void
}

/** The server in a thread of its own; a thread that dies or hangs is started again, and the relay attaches to the new one. */
export interface ServerThread {
  /** Rejects where the first start fails: the configuration is wrong then. */
  start(): Promise<void>
  /** Answers what would wait for long: the stop is near. */
  refuse(): void
  stop(): Promise<void>
  setupLink(): string | null
  /** The relay's end of the control link to the thread that runs now, or to the next one that does. */
  connectControl(): Promise<ControlChannel>
  /** Does the thread run and not answer? Nobody needs to wait for it then. */
  isSilent(): boolean
}

/** A thread that ran for so long in ms has started well; one that dies sooner is started again after longer and longer pauses. */
const steadyMs = 10_000

/** Makes a thread that is not started yet. */
export function createServerThread(options: ServerThreadOptions): ServerThread {
  const { logger } = options
  const backoff = createBackoff({ minMs: 500, maxMs: 30_000 })
  let worker: ServerWorker | null = null
  let starting: Promise<void> = Promise.resolve()
  let restart: NodeJS.Timeout | undefined
  let isStopping = false
  /** The port of the thread that runs, until the relay takes it: it carries one link. */
  let untaken: MessagePort | null = null
  /** The relay, while it waits for the next thread. */
  let waiting: ((port: MessagePort) => void) | null = null

  function offer(port: MessagePort): void {
    if (waiting === null) untaken = port
    else waiting(port)
    waiting = null
  }

  function onSilent(isSilent: boolean): void {
    if (isSilent)
      logger.warn({}, 'the server does not answer; it is ended if it hangs for a minute')
    else logger.info({}, 'the server answers again')
  }

  async function run(): Promise<void> {
    const { port1, port2 } = new MessageChannel()
    const started = await startServerWorker(options.settings, {
      logLevel: options.logLevel,
      relay: port2,
      demo: options.demo,
      onDemo: options.onDemo,
      onSilent,
    })
    if (isStopping) return started.stop()
    worker = started
    offer(port1)
    const steady = setTimeout(backoff.reset, steadyMs).unref()
    void started.ended.then(reason => {
      clearTimeout(steady)
      untaken = null
      worker = null
      if (isStopping) return
      logger.error({ err: reason }, 'the server ended; starting it again')
      again()
    })
  }

  function again(): void {
    if (isStopping) return
    restart = setTimeout(() => {
      starting = run().then(welcome, error => {
        logger.error({ err: error }, 'the server did not start again')
        again()
      })
    }, backoff.next())
  }

  function welcome(): void {
    if (isStopping) return
    logger.info({}, 'the server runs again')
    const link = worker?.setupLink ?? null
    if (link !== null) options.onSetupLink(link)
  }

  return {
    start: run,
    refuse: () => worker?.refuse(),
    async stop() {
      isStopping = true
      clearTimeout(restart)
      await Promise.all([worker?.stop(), starting])
    },
    setupLink: () => worker?.setupLink ?? null,
    isSilent: () => worker?.isSilent() ?? false,
    async connectControl() {
      const { promise, resolve } = Promise.withResolvers<MessagePort>()
      waiting = resolve
      if (untaken !== null) offer(untaken)
      untaken = null
      return createPortChannel(await promise)
    },
  }
}
