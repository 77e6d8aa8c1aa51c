import { afterEach, beforeEach, expect, it } from 'vitest'
import { countUse, removeOldCounts, waitForUse } from './counted-uses.ts'
import type { OpenDatabase } from './database.ts'
import { describeOnEveryEngine } from './testing.ts'

const four = [1, 2, 3, 4]

describeOnEveryEngine('what is counted', openTestDatabase => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestDatabase()
  })
  afterEach(() => database.close())

  const bounds = { pauseMs: 60, periodMs: 1000, most: 3 }
  const count = (now: number, key = 'key') => countUse(database.db, key, bounds, now)
  const wait = (now: number) => waitForUse(database.db, 'key', bounds, now)
  const countMany = async (now: number) =>
    (await Promise.all(four.map(() => count(now)))).filter(Boolean)

  it('is done once in a pause and so often in a period, however many ask at once', async () => {
    expect(await countMany(1000)).toHaveLength(1)
    expect(await count(1059)).toBe(false)
    expect(await countMany(1060)).toHaveLength(1)
    expect(await count(1120)).toBe(true)
    expect(await count(1999)).toBe(false)
    expect(await countMany(2000)).toHaveLength(1)
    expect(await count(1000, 'another')).toBe(true)
  })

  it('says how long there is to wait', async () => {
    expect(await wait(1000)).toBe(0)
    await count(1000)
    expect([await wait(1000), await wait(1059), await wait(1060)]).toEqual([60, 1, 0])
    await count(1060)
    await count(1120)
    expect([await wait(1120), await wait(1990), await wait(2000)]).toEqual([880, 10, 0])
  })

  it('is forgotten once period and pause are over', async () => {
    await count(1000)
    await removeOldCounts(database.db, 1999)
    expect(await wait(1000)).toBe(60)
    await removeOldCounts(database.db, 2000)
    expect(await wait(1000)).toBe(0)
  })
})
