import { captchaKinds } from '@homeport/contract'
import { expect, it } from 'vitest'
import { measureSolvers } from './measure.ts'

const count = 200
const seed = 20

it.each(captchaKinds)('solvers pass at most 15 %% of 200 challenges of kind %s', async kind => {
  const { direction, ...rates } = await measureSolvers(kind, { count, seed })
  console.log(kind, { ...rates, direction })
  for (const rate of Object.values(rates)) expect(rate).toBeLessThanOrEqual(0.15)
})
