import { expect, it } from 'vitest'
import { createManualClock } from './manual-clock.ts'
import { createRareLine } from './rare-line.ts'

it('is written at once, then once in a period with what came together since', () => {
  const clock = createManualClock()
  const lines: string[] = []
  const tell = createRareLine<string>({ periodMs: 1_000, clock }, (count, name) =>
    lines.push(`${count} ${name}`),
  )
  tell('a')
  for (let round = 0; round < 5; round += 1) tell('b')
  expect(lines).toEqual(['1 a'])
  clock.advance(999)
  tell('c')
  expect(lines).toEqual(['1 a'])
  clock.advance(1)
  tell('d')
  expect(lines).toEqual(['1 a', '7 d'])
})
