import { expect, test } from 'vitest'
import { INITIAL_WINDOW_BYTES } from './constants.ts'
import { ReceiveWindow } from './receive-window.ts'

const limitBytes = 16 * INITIAL_WINDOW_BYTES

/** A window whose reader takes half of what there is every `everyMs`, a few times. */
function readInTurns(everyMs: number, minRoundTripMs: number): number {
  let now = 0
  const budget = {
    minRoundTripMs,
    now: () => now,
    reserveGrowth: (bytes: number) => bytes,
    releaseGrowth: () => {},
  }
  const window = new ReceiveWindow(budget, limitBytes)
  for (let turn = 0; turn < 10; turn += 1) {
    now += everyMs
    expect(window.spend(window.size / 2)).toBe(true)
    expect(window.grant(0)).toBeGreaterThan(0)
  }
  return window.size
}

test('grows towards twice bandwidth and round trip', () => {
  // 128 KiB in 10 ms over a way of 40 ms: 1 MiB and more are under way.
  expect(readInTurns(10, 40)).toBeGreaterThanOrEqual(4 * INITIAL_WINDOW_BYTES)
})

test('grows for a fast reader on a near line, whose round trip is next to nothing', () => {
  expect(readInTurns(0.5, 0.1)).toBeGreaterThanOrEqual(4 * INITIAL_WINDOW_BYTES)
})

test('stays small for a slow reader on a near line', () => {
  expect(readInTurns(10, 0.1)).toBe(INITIAL_WINDOW_BYTES)
})

test('stays below its limit', () => {
  expect(readInTurns(0.1, 100)).toBe(limitBytes)
})
