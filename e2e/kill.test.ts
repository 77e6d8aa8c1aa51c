import { expect, it } from 'vitest'
import { runKillRounds } from './support/kill-rounds.ts'
import { startHomeport } from './support/processes.ts'

const rounds = 5

it(`${rounds} kills in the middle of writes lose nothing that was acknowledged`, async () => {
  const { acknowledged } = await runKillRounds(rounds, again => startHomeport([], again))
  for (const count of Object.values(acknowledged)) expect(count).toBeGreaterThan(0)
})
