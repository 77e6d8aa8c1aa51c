import { expect, it } from 'vitest'
import { fuzz } from './run.ts'
import { allTargets } from './targets.ts'

// The long run does the same for an hour with another seed each time: `npm run test:long -- fuzz`.
it('readers of hostile bytes hold what they promise for the first inputs of a seed', async () => {
  const counts = await fuzz(allTargets, { seed: 20_261_121, inputs: 300 })
  for (const [name, count] of counts) {
    expect(count.failure).toBeNull()
    // Neither way goes untried.
    expect([name, count.accepted > 20, count.refused > 20]).toEqual([name, true, true])
  }
})

it('a reader that lets something through is told with the input that shows it, again and again', async () => {
  const broken = {
    name: 'broken-reader',
    make: (random: () => number) => Buffer.from([random() * 256]),
    check: (input: Buffer) => {
      if ((input[0] ?? 0) > 250) throw new Error(`took ${input[0]}`)
      return 'refused' as const
    },
  }
  const counts = await fuzz([broken], { seed: 5, inputs: 10_000 })
  const { failure, refused } = counts.get('broken-reader') ?? {}
  const firstLines = (text: string | null | undefined) => text?.split('\n').slice(0, 2)
  expect(failure).toMatch(/input \d+ of seed 5/)
  const again = await fuzz([broken], { seed: 5, only: refused })
  const [told, toldAgain] = [failure, again.get('broken-reader')?.failure].map(firstLines)
  expect(toldAgain).toEqual(told)
})
