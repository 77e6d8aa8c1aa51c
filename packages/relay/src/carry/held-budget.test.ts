import { createLogger } from '@homeport/runtime'
import { expect, test } from 'vitest'
import { createHeldBudget, type Holding, weightOf } from './held-budget.ts'

const limitBytes = 800

/** A budget with holders that a test fills by hand. */
function createHolders() {
  let now = 0
  const lines: { msg: string; count: number }[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const logger = createLogger({ level: 'warn', name: 'relay', destination })
  const budget = createHeldBudget({ limitBytes, clock: { now: () => now }, logger })
  const cut: string[] = []
  return {
    budget,
    cut,
    lines,
    pass: (ms: number) => {
      now += ms
    },
    add(name: string, bytes: number) {
      const since = now
      const state = { bytes, holding: null as Holding | null }
      state.holding = budget.join({
        heldBytes: () => state.bytes,
        weight: at => weightOf(state.bytes, since, at),
        cut: () => void cut.push(name),
      })
      state.holding.count()
      return state
    },
  }
}

const nextTick = () => new Promise<void>(resolve => process.nextTick(resolve))

test('nobody is cut below the limit, and what is left is given back', async () => {
  const { budget, cut, add } = createHolders()
  const first = add('first', 400)
  add('second', 400)
  await nextTick()
  expect(cut).toEqual([])
  first.holding?.leave()
  first.holding?.leave()
  first.holding?.count()
  expect(budget.heldBytes()).toBe(400)
})

test('beyond it those go that hold most for longest, until an eighth is free', async () => {
  const { budget, cut, add, pass } = createHolders()
  add('small and old', 101)
  add('large and old', 300)
  pass(1_000)
  add('small and new', 100)
  pass(100)
  add('large and new', 300)
  // Whoever counts is not cut in the middle of it.
  expect(cut).toEqual([])
  await nextTick()
  expect(cut).toEqual(['large and old'])
  expect(budget.heldBytes()).toBe(501)
  add('larger', 300)
  await nextTick()
  expect(cut).toEqual(['large and old', 'small and old'])
  expect(budget.heldBytes()).toBe(700)
})

test('standing still for hours weighs no more than for ten seconds', async () => {
  const { cut, add, pass } = createHolders()
  add('an event stream', 4)
  pass(3_600_000)
  add('a hoarder', 401)
  pass(1_100)
  add('another', 400)
  await nextTick()
  expect(cut).toEqual(['a hoarder'])
})

test('what was taken meanwhile is counted again before anybody is cut', async () => {
  const { budget, cut, add } = createHolders()
  const reader = add('reader', 700)
  reader.bytes = 0
  add('other', 200)
  await nextTick()
  expect(cut).toEqual([])
  expect(budget.heldBytes()).toBe(200)
})

test('a flood writes one line that counts', async () => {
  const { lines, add, pass } = createHolders()
  for (let round = 0; round < 5; round += 1) {
    add('one', 801)
    await nextTick()
  }
  expect(lines).toMatchObject([{ count: 1 }])
  pass(10_000)
  add('one', 801)
  await nextTick()
  expect(lines).toMatchObject([{ count: 1 }, { count: 5 }])
})
