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

  it('is any at first, and one that holds better after two wrong answers, for a while', () => {
    const clock = createManualClock()
    const risk = createRisk({ clock }, database.db, createSeededRandom(1))
    const kinds = (address: string) =>
      [...new Set(Array.from({ length: 300 }, () => risk.pickKind(address)))].sort()
    const all = ['click', 'rotate', 'slide', 'slide_region']
    expect(kinds(here)).toEqual(all)
    risk.noteWrongAnswer(here)
    risk.noteWrongAnswer(here)
    expect(kinds(here)).toEqual(['click', 'slide_region'])
    expect(kinds('192.0.2.2')).toEqual(all)
    clock.advance(60_000)
    expect(kinds(here)).toEqual(all)
  })
})
