import { expect, test } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { createRateLimiter } from './rate.ts'

const make = (clock = createManualClock()) => ({
  clock,
  limiter: createRateLimiter({ burst: 3, perSecond: 2, keyLimit: 2, clock }),
})
const allowed = { isAllowed: true }

test('a burst is allowed, then tokens come back with time', () => {
  const { clock, limiter } = make()
  expect([1, 2, 3].map(() => limiter.take('a'))).toEqual([allowed, allowed, allowed])
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 500 })
  clock.advance(499)
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 1 })
  clock.advance(1)
  expect(limiter.take('a')).toEqual(allowed)
})

test('a refused attempt costs nothing, and a bucket never holds more than the burst', () => {
  const { clock, limiter } = make()
  expect(limiter.take('a', 4)).toEqual({ isAllowed: false, retryAfterMs: 500 })
  clock.advance(60_000)
  expect(limiter.take('a', 3)).toEqual(allowed)
  expect(limiter.take('a')).toEqual({ isAllowed: false, retryAfterMs: 500 })
})

test('keys do not share a bucket, and a forgotten key begins anew', () => {
  const { limiter } = make()
  limiter.take('a', 3)
  expect(limiter.take('b')).toEqual(allowed)
  limiter.forget('a')
  expect(limiter.take('a', 3)).toEqual(allowed)
})

test('the key used longest ago is forgotten when too many are known', () => {
  const { limiter } = make()
  limiter.take('a', 3)
  limiter.take('b', 3)
  limiter.take('a')
  limiter.take('c', 3)
  expect(limiter.size()).toBe(2)
  expect(limiter.take('a').isAllowed).toBe(false)
  expect(limiter.take('b').isAllowed).toBe(true)
})

test('what was given back is not remembered, and so pushes no other key out', () => {
  const { clock, limiter } = make()
  limiter.take('victim', 3)
  for (let n = 0; n < 5; n += 1) {
    const key = `invented ${n}`
    limiter.take(key, 2)
    limiter.take(key, -1)
    expect(limiter.size()).toBe(2)
    limiter.take(key, -1)
    limiter.take(key, -1)
    limiter.take(key, 4)
    expect(limiter.size()).toBe(1)
  }
  expect(limiter.take('victim').isAllowed).toBe(false)
  clock.advance(1500)
  limiter.take('victim', 4)
  expect(limiter.size()).toBe(0)
})
