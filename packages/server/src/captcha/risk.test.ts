import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../db/database.ts'
import { openTestSqlite } from '../db/testing.ts'
import { createRisk } from './risk.ts'
import { createSeededRandom } from './solvers/measure.ts'

const here = '192.0.2.1'

describe('the kind of the next challenge', () => {
  let database: OpenDatabase
  beforeEach(async () => {
    database = await openTestSqlite()
  })
  afterEach(() => database.close())

  it('is any while the answers are right, and the one that holds best after three in vain, for a while', () => {
    const clock = createManualClock()
    const risk = createRisk({ clock }, database.db, createSeededRandom(1))
    const times = (count: number, pickOne: () => string) =>
      [...new Set(Array.from({ length: count }, pickOne))].sort()
    const all = ['click', 'rotate', 'slide', 'slide_region']
    const solved = times(300, () => {
      const kind = risk.pickKind(here)
      risk.noteRightAnswer(here)
      return kind
    })
    expect(solved).toEqual(all)
    // Asked for and laid aside: waiting for an easy kind leads to none.
    for (let n = 0; n < 3; n += 1) risk.pickKind(here)
    expect(times(300, () => risk.pickKind(here))).toEqual(['click'])
    const fresh = times(300, () => {
      clock.advance(60_000)
      return risk.pickKind('192.0.2.2')
    })
    expect(fresh).toEqual(all)
  })
})
