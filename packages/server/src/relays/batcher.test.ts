import { expect, it } from 'vitest'
import { createBatcher } from './batcher.ts'

function createSum(save: (batch: Map<string, number>) => Promise<void>) {
  const faults: unknown[] = []
  const batcher = createBatcher<string, number>({
    merge: (older, newer) => older + newer,
    save: batch => save(new Map(batch)),
    onFault: cause => faults.push(cause),
  })
  return { ...batcher, faults }
}

it('saves what is added together as one batch, merged by key', async () => {
  const saved: Map<string, number>[] = []
  const { add, settled } = createSum(async batch => void saved.push(batch))
  add('a', 1)
  add('b', 2)
  add('a', 3)
  await settled()
  expect(saved).toEqual([
    new Map([
      ['a', 4],
      ['b', 2],
    ]),
  ])
})

it('saves one batch at a time and what was added meanwhile in the next', async () => {
  const saved: Map<string, number>[] = []
  const first = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { add, settled } = createSum(async batch => {
    saved.push(batch)
    begun.resolve()
    if (saved.length === 1) await first.promise
  })
  add('a', 1)
  await begun.promise
  add('a', 5)
  add('a', 6)
  expect(saved).toHaveLength(1)
  first.resolve()
  await settled()
  expect(saved).toEqual([new Map([['a', 1]]), new Map([['a', 11]])])
})

it('cuts many changes into batches of 500', async () => {
  const sizes: number[] = []
  const { add, settled } = createSum(async batch => void sizes.push(batch.size))
  for (let index = 0; index < 1201; index += 1) add(`key ${index}`, 1)
  await settled()
  expect(sizes).toEqual([500, 500, 201])
})

it('reports a batch that failed and loses nothing of it', async () => {
  const saved: Map<string, number>[] = []
  let isBroken = true
  const { add, settled, faults } = createSum(async batch => {
    if (isBroken) throw new Error('no database')
    saved.push(batch)
  })
  add('a', 1)
  add('b', 2)
  await settled()
  expect(faults).toMatchObject([{ message: 'no database' }])
  isBroken = false
  add('a', 10)
  await settled()
  expect(saved).toEqual([
    new Map([
      ['a', 11],
      ['b', 2],
    ]),
  ])
})
