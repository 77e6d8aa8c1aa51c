import process from 'node:process'
import closeWithGrace from 'close-with-grace'
import type { Clock } from './clock.ts'
import type { Logger } from './logger.ts'

/** Something that runs for as long as the process: a listener, a pool, a runner of jobs. */
export interface Part {
  readonly name: string
  start?(): Promise<void> | void
  /** Takes nothing new from now on. */
  refuse?(): Promise<void> | void
  /** Settles when what was begun has ended. May be cut short by the limit of the drain. */
  drain?(): Promise<void> | void
  /** Lets go of everything. */
  close?(): Promise<void> | void
}

/** Parts that were started. */
export interface Running {
  /** Stops all parts in order; every caller waits for the same stop. Never throws: what fails is logged. */
  stop(): Promise<void>
}

/** What starting and stopping needs; `drainTimeoutMs` is how long begun work may go on (5000 unless told). */
export interface PartsOptions {
  readonly logger: Logger
  readonly clock: Pick<Clock, 'setTimeout'>
  readonly drainTimeoutMs?: number
}

/**
 * Starts parts in the given order. When one fails, those before it are stopped and its error is thrown. Stopping goes the
 * other way round, in three rounds over all parts: refuse, drain, close; so no part loses what another still needs.
 */
export async function startParts(parts: readonly Part[], options: PartsOptions): Promise<Running> {
  const started: Part[] = []
  let stopped: Promise<void> | undefined
  const stop = () => {
    stopped ??= stopParts(started.toReversed(), options)
    return stopped
  }
  for (const part of parts) {
    started.push(part)
    try {
      await part.start?.()
    } catch (error) {
      await stop()
      throw error
    }
  }
  return { stop }
}

async function stopParts(parts: readonly Part[], options: PartsOptions): Promise<void> {
  const { logger, clock, drainTimeoutMs = 5_000 } = options
  const attempt = async (part: Part, round: 'refuse' | 'drain' | 'close') => {
    try {
      await part[round]?.()
    } catch (error) {
      logger.error({ err: error, part: part.name, round }, 'a part did not stop cleanly')
    }
  }
  for (const part of parts) await attempt(part, 'refuse')
  // Begun work ends side by side: one slow visitor must not use up the time of all others.
  const limit = Promise.withResolvers<void>()
  const timer = clock.setTimeout(limit.resolve, drainTimeoutMs)
  await Promise.race([Promise.all(parts.map(part => attempt(part, 'drain'))), limit.promise])
  timer.cancel()
  for (const part of parts) await attempt(part, 'close')
}

/** Whole time from the first signal to the exit, and what counts as a second signal. */
const EXIT_TIMEOUT_MS = 10_000
// One Ctrl-C reaches a process up to three times: from the terminal, from npm and from the launcher.
const ECHO_MS = 500

/**
 * Stops on SIGTERM, SIGINT and SIGHUP, then exits with 0; on an uncaught error, then exits with 1. Exits with 1 when stopping
 * takes longer than 10 s or when a second signal comes: whoever sends it does not want to wait.
 */
export function stopOnSignals(running: Running, logger: Logger): void {
  const handle = closeWithGrace(
    {
      delay: EXIT_TIMEOUT_MS,
      logger: { error: (reason: unknown) => logger.error({ err: reason }, 'stopping failed') },
      // Handled below: close-with-grace takes the echo of the first signal for a second one.
      skip: ['SIGTERM', 'SIGINT', 'SIGHUP'],
    },
    async ({ err }) => {
      if (err !== undefined) logger.error({ err }, 'uncaught error, stopping')
      await running.stop()
    },
  )
  let firstAt: number | undefined
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstAt === undefined) {
        firstAt = performance.now()
        logger.info({ signal }, 'stopping')
        handle.close()
      } else if (performance.now() - firstAt > ECHO_MS) {
        logger.error({ signal }, 'second signal, exiting at once')
        process.exit(1)
      }
    })
  }
}
