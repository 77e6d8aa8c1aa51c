import { describe, expect, it } from 'vitest'
import { measureSolvers } from './measure.ts'

// A short look with a fixed seed: 200 of each kind are in resistance.long.test.ts. With 30 challenges a rate of 15 % may show
// as 0.3 once in a hundred seeds, so that is the bound here.
const most = 0.3

describe('solvers that know nothing of how the pictures are drawn', () => {
  it.each(['template', 'edges', 'brightness'])('slide: %s', async only => {
    const rates = await measureSolvers('slide', { count: 30, seed: 7, only })
    expect(rates[only]).toBeLessThanOrEqual(most)
  })

  it.each(['brightness', 'shade', 'edges'])('rotate: %s', async only => {
    const rates = await measureSolvers('rotate', { count: 30, seed: 7, only })
    expect(rates[only]).toBeLessThanOrEqual(most)
  })
})

// A rate near nothing would also be that of a broken solver: this one is known to see the gaps.
it('a solver that knows the drawing finds the gaps', async () => {
  const rates = await measureSolvers('slide', { count: 20, seed: 7, only: 'direction' })
  expect(rates.direction).toBeGreaterThan(0.5)
})
