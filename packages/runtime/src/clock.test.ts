import { expect, test } from 'vitest'
import { systemClock } from './clock.ts'
import { createManualClock } from './manual-clock.ts'

test('timers run at their own moments, in the order they fall due', () => {
  const clock = createManualClock(1_000)
  const seen: string[] = []
  const note = (name: string) => () => seen.push(`${name}@${clock.monotonicMs()}`)
  clock.setTimeout(note('late'), 30)
  clock.setInterval(note('tick'), 10)
  clock.setTimeout(note('early'), 5)
  clock.advance(30)
  expect(seen).toEqual(['early@5', 'tick@10', 'tick@20', 'late@30', 'tick@30'])
  expect(clock.now()).toBe(1_030)
})

test('a cancelled timer does not run, and a timer may set another one', () => {
  const clock = createManualClock()
  const seen: string[] = []
  clock.setTimeout(() => seen.push('cancelled'), 10).cancel()
  clock.setTimeout(() => clock.setTimeout(() => seen.push('second'), 5), 5)
  clock.advance(10)
  expect(seen).toEqual(['second'])
  expect(clock.waitingCount()).toBe(0)
})

test('the system clock fires once for a timeout and again and again for an interval', async () => {
  const { promise, resolve } = Promise.withResolvers<number>()
  let ticks = 0
  const interval = systemClock.setInterval(() => {
    ticks += 1
    if (ticks === 3) resolve(ticks)
  }, 1)
  // The clock's timers keep no process alive: something else must while the test waits.
  const keepAlive = setInterval(() => undefined, 1000)
  expect(await promise).toBe(3)
  interval.cancel()
  const fired = Promise.withResolvers<void>()
  systemClock.setTimeout(() => fired.resolve(), 1)
  await fired.promise
  clearInterval(keepAlive)
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(1_000)
})
