import process from 'node:process'
import { parentPort, workerData } from 'node:worker_threads'
import { createPortChannel } from '@homeport/contract/control'
import { createLogger, systemClock } from '@homeport/runtime'
import { createServer } from './server.ts'
import type { WorkerOrder, WorkerReport, WorkerStart } from './worker-messages.ts'

// The entry of the thread that `startServerWorker` starts; it has no other use.

async function run(main: NonNullable<typeof parentPort>, start: WorkerStart): Promise<void> {
  const logger = createLogger({ level: start.logLevel, name: 'server' })
  const report = (message: WorkerReport) => main.postMessage(message)
  try {
    const server = await createServer({ ...start.settings, clock: systemClock, logger })
    main.on('message', (order: WorkerOrder) => {
      if (order.type === 'stop') void stop(server)
      else if (order.type === 'refuse') server.refuse()
      else report({ type: 'alive' })
    })
    await server.start()
    server.attachRelay(createPortChannel(start.relay))
    report({ type: 'ready', setupLink: server.setupLink() })
    if (start.demo !== null) {
      server.seedDemo(start.demo).then(
        uid => report({ type: 'demo', uid }),
        error => logger.error({ err: error }, 'there will be no sample home'),
      )
    }
  } catch (error) {
    logger.error({ err: error }, 'the server could not start')
    report({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    process.exitCode = 1
    main.close()
    start.relay.close()
  }

  async function stop(server: { stop(): Promise<void> }): Promise<void> {
    try {
      await server.stop()
    } catch (error) {
      logger.error({ err: error }, 'the server did not stop cleanly')
      process.exitCode = 1
    }
    // Nothing else keeps the thread alive; it ends with its last handle.
    main.close()
    start.relay.close()
  }
}

if (parentPort === null) throw new Error('this file runs as a worker thread')
await run(parentPort, workerData as WorkerStart)
