import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import process from 'node:process'
import { expect, test } from 'vitest'
import { type Part, startParts } from './lifecycle.ts'
import { createLogger } from './logger.ts'
import { createManualClock } from './manual-clock.ts'

const logger = createLogger({ level: 'silent', name: 'test' })

function makePart(name: string, seen: string[], extra: Partial<Part> = {}): Part {
  const note = (round: string) => () => {
    seen.push(`${round} ${name}`)
  }
  return {
    name,
    start: note('start'),
    refuse: note('refuse'),
    drain: note('drain'),
    close: note('close'),
    ...extra,
  }
}

test('parts start in order and stop the other way round, in three rounds', async () => {
  const seen: string[] = []
  const clock = createManualClock()
  const running = await startParts([makePart('a', seen), makePart('b', seen)], { logger, clock })
  await Promise.all([running.stop(), running.stop()])
  expect(seen).toEqual([
    'start a',
    'start b',
    'refuse b',
    'refuse a',
    'drain b',
    'drain a',
    'close b',
    'close a',
  ])
  expect(clock.waitingCount()).toBe(0)
})

test('when a part does not start, it and those before it are closed and the reason is thrown', async () => {
  const seen: string[] = []
  const broken = makePart('b', seen, { start: () => Promise.reject(new Error('port taken')) })
  const parts = [makePart('a', seen), broken, makePart('c', seen)]
  await expect(startParts(parts, { logger, clock: createManualClock() })).rejects.toThrow(
    'port taken',
  )
  expect(seen.filter(line => !/refuse|drain/.test(line))).toEqual(['start a', 'close b', 'close a'])
})

test('a part that fails to stop does not keep the others open', async () => {
  const seen: string[] = []
  const broken = makePart('b', seen, {
    refuse: () => {
      throw new Error('refuse')
    },
    close: () => Promise.reject(new Error('close')),
  })
  const running = await startParts([makePart('a', seen), broken], {
    logger,
    clock: createManualClock(),
  })
  await running.stop()
  expect(seen.at(-1)).toBe('close a')
})

test('work that never ends is cut off when the time for draining is over', async () => {
  const seen: string[] = []
  const clock = createManualClock()
  const draining = Promise.withResolvers<void>()
  const endless = makePart('a', seen, {
    drain: () => {
      draining.resolve()
      return new Promise<void>(() => undefined)
    },
  })
  const running = await startParts([endless], { logger, clock, drainTimeoutMs: 3_000 })
  const stopped = running.stop()
  await draining.promise
  clock.advance(2_999)
  expect(seen).not.toContain('close a')
  clock.advance(1)
  await stopped
  expect(seen).toContain('close a')
})

// A process of its own for each of the rest: signals and exits are what is tested.
const moduleOf = (file: string) => JSON.stringify(path.join(import.meta.dirname, file))
async function startProcess(parts: string): Promise<{ child: ChildProcess; output: () => string }> {
  const script = `
    import { startParts, stopOnSignals } from ${moduleOf('lifecycle.ts')}
    import { createLogger } from ${moduleOf('logger.ts')}
    import { systemClock } from ${moduleOf('clock.ts')}
    const logger = createLogger({ level: 'info', name: 'child' })
    const keepAlive = setInterval(() => undefined, 1000)
    stopOnSignals(await startParts([${parts}], { logger, clock: systemClock }), logger)
    console.log('ready')`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const ready = Promise.withResolvers<void>()
  child.stdout?.on('data', chunk => {
    text += String(chunk)
    if (text.includes('ready')) ready.resolve()
  })
  child.once('exit', () => ready.reject(new Error(`ended before it was ready: ${text}`)))
  await ready.promise
  return { child, output: () => text }
}

test('a signal and its echoes stop in order and exit with 0', async () => {
  const part = `{ name: 'a', drain: () => new Promise(resolve => setTimeout(resolve, 50)), close: () => console.log('closed') }`
  const { child, output } = await startProcess(part)
  const ended = once(child, 'exit')
  child.kill('SIGINT')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(output()).toContain('closed')
})

test('a second signal, later than an echo, exits at once with 1', async () => {
  // The part asks for its own second signal when the echoes are over; its drain would take far longer.
  const part = `{ name: 'a', drain: () => new Promise(() => setTimeout(() => process.kill(process.pid, 'SIGTERM'), 600)) }`
  const { child, output } = await startProcess(part)
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([1, null])
  expect(output()).toContain('second signal')
})

test('an uncaught error stops in order and exits with 1', async () => {
  const part = `{ name: 'a', start: () => { setTimeout(() => { throw new Error('boom') }, 20) }, close: () => console.log('closed') }`
  const { child, output } = await startProcess(part)
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(output()).toContain('boom')
  expect(output()).toContain('closed')
})
