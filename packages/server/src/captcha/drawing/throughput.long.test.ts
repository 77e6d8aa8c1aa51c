import process from 'node:process'
import { captchaKinds } from '@homeport/contract'
import { expect, it } from 'vitest'
import { createArtist } from './artist.ts'
import { createSystemRandom } from './random.ts'

const count = 400

it('draws at least 100 challenges of all kinds in a second of one core', () => {
  const draw = createArtist(createSystemRandom())
  for (const kind of captchaKinds) draw(kind)
  const before = process.threadCpuUsage()
  for (let n = 0; n < count; n += 1) draw(captchaKinds[n % captchaKinds.length] ?? 'slide')
  const { user, system } = process.threadCpuUsage(before)
  const perSecond = Math.round(count / ((user + system) / 1e6))
  console.log(`${perSecond} challenges a second of one core`)
  expect(perSecond).toBeGreaterThan(100)
})
