import { describe, expect, it } from 'vitest'
import { drawTrace } from './testing.ts'
import { judgeTrace } from './trace.ts'

const value = { x: 120, y: 40 }
const good = drawTrace(value)

describe('the trace of a drag', () => {
  it('of a hand is plausible', () => {
    expect(judgeTrace(good, value)).toBe('plausible')
    expect(judgeTrace(drawTrace({ angle: 200 }), { angle: 200 })).toBe('plausible')
  })

  it('of arrow keys is plausible: even steps at uneven times', () => {
    const trace = [90, 260, 380, 600, 705, 900].map((t, n) => ({ x: 70 + n * 10, y: 40, t }))
    expect(judgeTrace(trace, value)).toBe('plausible')
  })

  it.each([
    ['goes back in time', good.with(3, { x: 20, y: 40, t: 0 })],
    ['has too few points', good.slice(-3)],
    ['ends elsewhere', drawTrace({ x: 110, y: 40 })],
    ['is too quick', good.map(point => ({ ...point, t: point.t / 10 }))],
    ['is a loop', Array.from({ length: 13 }, (_, n) => ({ x: n * 10, y: 40, t: n * 40 }))],
  ])('that %s is not', (_, trace) => {
    expect(judgeTrace(trace, value)).toBe('implausible')
  })

  it('may be absent, which is told', () => {
    expect(judgeTrace(undefined, value)).toBe('absent')
    expect(judgeTrace([], value)).toBe('absent')
  })
})

it('the trace of clicks has one point for each', () => {
  const clicks = [
    { x: 10, y: 20 },
    { x: 100, y: 120 },
  ]
  expect(judgeTrace(drawTrace(clicks), clicks)).toBe('plausible')
  expect(judgeTrace(drawTrace(clicks).slice(1), clicks)).toBe('implausible')
  expect(judgeTrace(drawTrace(clicks), clicks.toReversed())).toBe('implausible')
})
