import { createLogger, systemClock } from '@homeport/runtime'
import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, expect, it } from 'vitest'
import { createDrawingPool, type DrawingPool } from './drawing-pool.ts'

const logger = createLogger({ level: 'error', name: 'test', destination: { write: () => {} } })
let pool: DrawingPool
afterEach(() => pool.stop())

const program = (source: string) => new URL(`data:text/javascript,${encodeURIComponent(source)}`)

it('draws each kind, never the same twice, many at once', async () => {
  // How long callers wait on a busy machine is not the question here.
  pool = createDrawingPool({ clock: createManualClock(), logger })
  const drawn = await Promise.all(
    (['click', 'slide', 'slide_region', 'rotate'] as const).flatMap(kind =>
      Array.from({ length: 10 }, () => pool.take(kind)),
    ),
  )
  expect(drawn.map(({ kind }) => kind)).toEqual(
    ['click', 'slide', 'slide_region', 'rotate'].flatMap(kind => Array(10).fill(kind)),
  )
  expect(new Set(drawn.map(({ data }) => data.image)).size).toBe(drawn.length)
})

it('starts no thread before the first need', () => {
  pool = createDrawingPool({ clock: systemClock, logger })
  expect(pool.threadId()).toBeNull()
})

it('replaces a thread that died', async () => {
  const mortal = program(`
    import { parentPort, threadId } from 'node:worker_threads'
    let drawings = 0
    parentPort.on('message', ({ kind }) => {
      drawings += 1
      if (drawings > 30) process.exit(1)
      parentPort.postMessage({ drawn: { kind, data: { threadId }, answer: {} } })
    })`)
  pool = createDrawingPool({ clock: systemClock, logger, entry: mortal })
  const threads = new Set<unknown>()
  for (let count = 0; count < 60; count += 1) {
    const { data } = await pool.take('slide')
    threads.add((data as unknown as { threadId: number }).threadId)
  }
  expect(threads.size).toBeGreaterThan(1)
})

it('refuses beyond the limit of those who wait, and those who wait too long', async () => {
  const clock = createManualClock()
  pool = createDrawingPool({ clock, logger, entry: program('import "node:worker_threads"') })
  const waiting = Array.from({ length: 32 }, () => pool.take('rotate'))
  const settled = Promise.allSettled(waiting)
  await expect(pool.take('rotate')).rejects.toMatchObject({ code: 'busy' })
  clock.advance(10_000)
  for (const result of await settled) {
    expect(result).toMatchObject({ status: 'rejected', reason: { code: 'busy' } })
  }
})

it('ends with those who wait told', async () => {
  pool = createDrawingPool({ clock: systemClock, logger })
  const waiting = pool.take('click')
  const outcome = expect(waiting).rejects.toMatchObject({ code: 'busy' })
  await pool.stop()
  await outcome
  expect(pool.threadId()).toBeNull()
  await expect(pool.take('click')).rejects.toMatchObject({ code: 'busy' })
})
