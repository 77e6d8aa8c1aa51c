import { describe, expect, it } from 'vitest'
import { choosePort } from './ports.ts'

const pool = { from: 20_000, to: 20_003 }
const first = () => 0
const last = (limit: number) => limit - 1

describe('choosePort', () => {
  it('takes a random port of those that are free', () => {
    expect(choosePort(pool, [20_000], [], 1, first)).toBe(20_001)
    expect(choosePort(pool, [20_000], [], 1, last)).toBe(20_003)
  })

  it('leaves a port alone that somebody else gave back, while others are free', () => {
    const released = [{ port: 20_001, user_id: 2, released_at: 5 }]
    expect(choosePort(pool, [20_000], released, 1, first)).toBe(20_002)
  })

  it('gives the owner back the port they released last', () => {
    const released = [
      { port: 20_001, user_id: 1, released_at: 5 },
      { port: 20_003, user_id: 1, released_at: 9 },
      { port: 20_002, user_id: 2, released_at: 7 },
    ]
    expect(choosePort(pool, [20_000], released, 1, first)).toBe(20_003)
  })

  it('falls back to the port that rested longest', () => {
    const released = [
      { port: 20_001, user_id: 2, released_at: 5 },
      { port: 20_003, user_id: 3, released_at: 4 },
    ]
    expect(choosePort(pool, [20_000, 20_002], released, 1, first)).toBe(20_003)
  })

  it('ignores released ports that are in use again or outside the pool', () => {
    const released = [
      { port: 20_000, user_id: 1, released_at: 5 },
      { port: 30_000, user_id: 1, released_at: 6 },
    ]
    expect(choosePort(pool, [20_000], released, 1, first)).toBe(20_001)
  })

  it('finds none in a full pool', () => {
    expect(choosePort(pool, [20_000, 20_001, 20_002, 20_003], [], 1, first)).toBeNull()
  })
})
