import { Worker } from 'node:worker_threads'
import { type CaptchaKind, captchaKinds } from '@homeport/contract'
import type { Clock, Logger, Timer } from '@homeport/runtime'
import { AppError } from '../../http/app-error.ts'
import type { Drawn } from './artist.ts'
import type { DrawOrder, DrawReport } from './drawing-messages.ts'

/** Challenges of each kind kept ready; about 30 to 80 KiB each. */
const readyLimit = 6

/** Callers that may wait for one of a kind; the one behind them is told that the server is busy. */
const waitingLimit = 32

/** A caller waits for a drawing this many ms at most. */
const waitTimeoutMs = 10_000

/** A thread that died is replaced after this many ms, so that a lasting fault does not start threads without end. */
const restartDelayMs = 1_000

/** Challenges drawn ahead of need in a thread of their own. */
export interface DrawingPool {
  /** Begins to draw ahead; does nothing where it has begun. */
  warm(): void
  /** One that nobody else gets; throws `busy` where too many wait or the thread cannot draw. */
  take(kind: CaptchaKind): Promise<Drawn>
  /** The thread, for those who look after it; null before the first need and after a fault. */
  threadId(): number | null
  /** Ends the thread; callers that wait are told `busy`. */
  stop(): Promise<void>
}

interface Waiting {
  resolve(drawn: Drawn): void
  reject(error: unknown): void
  timer: Timer
}

interface Shelf {
  readonly ready: Drawn[]
  readonly waiting: Waiting[]
  /** Orders that the thread has not answered. */
  ordered: number
}

/** What a pool needs; `entry` is the thread's program, which a test may replace. */
export interface PoolOptions {
  clock: Clock
  logger: Logger
  entry?: URL
}

/** Makes a pool; its thread starts at the first need, so that a server nobody attacks never pays for it. */
export function createDrawingPool({ clock, logger, entry }: PoolOptions): DrawingPool {
  const shelves = new Map<CaptchaKind, Shelf>(
    captchaKinds.map(kind => [kind, { ready: [], waiting: [], ordered: 0 }]),
  )
  let worker: Worker | null = null
  let restarting: Timer | undefined
  let isStopped = false

  function start(): void {
    if (isStopped || worker !== null || restarting !== undefined) return
    const started = new Worker(entry ?? new URL('./drawing-worker.ts', import.meta.url))
    worker = started
    started.unref()
    started.on('message', ({ drawn }: DrawReport) => receive(drawn))
    started.once('error', error => logger.error({ err: error }, 'the captcha drawer failed'))
    started.once('exit', () => {
      worker = null
      if (isStopped) return
      for (const shelf of shelves.values()) shelf.ordered = 0
      restarting = clock.setTimeout(() => {
        restarting = undefined
        start()
      }, restartDelayMs)
    })
    for (const kind of captchaKinds) order(kind)
  }

  // Never more orders than there is room and need for: the queue to the thread stays as short as the shelf.
  function order(kind: CaptchaKind): void {
    const shelf = shelfOf(kind)
    const wanted = readyLimit + shelf.waiting.length - shelf.ready.length
    while (worker !== null && shelf.ordered < wanted) {
      shelf.ordered += 1
      worker.postMessage({ kind } satisfies DrawOrder)
    }
  }

  function receive(drawn: Drawn): void {
    const shelf = shelfOf(drawn.kind)
    shelf.ordered -= 1
    const next = shelf.waiting.shift()
    if (next === undefined) {
      shelf.ready.push(drawn)
      return
    }
    next.timer.cancel()
    next.resolve(drawn)
  }

  function shelfOf(kind: CaptchaKind): Shelf {
    const shelf = shelves.get(kind)
    if (shelf === undefined) throw new RangeError(`no captcha of kind ${kind}`)
    return shelf
  }

  return {
    warm: start,

    async take(kind) {
      if (isStopped) throw new AppError('busy', { retryAfterSeconds: 2 })
      start()
      const shelf = shelfOf(kind)
      const drawn = shelf.ready.shift()
      if (drawn !== undefined) {
        order(kind)
        return drawn
      }
      if (shelf.waiting.length >= waitingLimit) throw new AppError('busy', { retryAfterSeconds: 2 })
      const { promise, resolve, reject } = Promise.withResolvers<Drawn>()
      const waiting: Waiting = {
        resolve,
        reject,
        timer: clock.setTimeout(() => {
          shelf.waiting.splice(shelf.waiting.indexOf(waiting), 1)
          reject(new AppError('busy', { retryAfterSeconds: 2 }))
        }, waitTimeoutMs),
      }
      shelf.waiting.push(waiting)
      order(kind)
      return promise
    },

    threadId: () => worker?.threadId ?? null,

    async stop() {
      isStopped = true
      restarting?.cancel()
      for (const shelf of shelves.values()) {
        for (const { reject, timer } of shelf.waiting.splice(0)) {
          timer.cancel()
          reject(new AppError('busy', { retryAfterSeconds: 2 }))
        }
      }
      await worker?.terminate()
    },
  }
}
