import { expect, test } from 'vitest'
import { createBackoff } from './backoff.ts'

test('pauses double up to the bound and begin again after a reset', () => {
  const backoff = createBackoff({ minMs: 100, maxMs: 1_000, random: () => 1 })
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([100, 200, 400, 800, 1_000, 1_000])
  backoff.reset()
  expect(backoff.next()).toBe(100)
})

test('a pause is never shorter than half of its full length', () => {
  const backoff = createBackoff({ minMs: 100, maxMs: 1_000, random: () => 0 })
  expect([1, 2, 3].map(() => backoff.next())).toEqual([50, 100, 200])
})

test('thousands of failures keep the longest pause', () => {
  const backoff = createBackoff({ minMs: 1, maxMs: 30_000, random: () => 1 })
  for (let attempt = 0; attempt < 5_000; attempt += 1) backoff.next()
  expect(backoff.next()).toBe(30_000)
})
