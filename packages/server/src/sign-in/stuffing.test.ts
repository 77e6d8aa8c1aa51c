import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { UserId } from '../accounts/user-id.ts'
import { createRisk } from '../captcha/risk.ts'
import { createSeededRandom } from '../captcha/solvers/measure.ts'
import type { OpenDatabase } from '../db/database.ts'
import { openTestSqlite } from '../db/testing.ts'
import { AppError } from '../http/app-error.ts'
import { createCodeLimits } from '../second-factor/code-limits.ts'
import { createPasswordCheck } from './password-check.ts'

// How many guesses of an hour reach a comparison. Argon2id stands aside: it would take the hour that the clock skips. The limits
// are the real ones, and every guess is wrong, which is the worst case: a right one gives back what it cost.

const hourSeconds = 3600

let database: OpenDatabase
beforeEach(async () => {
  database = await openTestSqlite()
})
afterEach(() => database.close())

/** Whether the attacker solves every captcha, or none. */
type Captchas = 'none' | 'every'

interface Guess {
  account: string
  address: string
}

/** A check whose every password is wrong, and how many it compared. */
function createWrongCheck(solves: () => Captchas) {
  const clock = createManualClock()
  const risk = createRisk({ clock }, database.db, createSeededRandom(1))
  let compared = 0
  const check = createPasswordCheck(
    {
      clock,
      config: {} as Parameters<typeof createPasswordCheck>[0]['config'],
      passwords: {
        requireRoom() {},
        hash: async () => '',
        async verify() {
          compared += 1
          return false
        },
      },
    },
    { findCredential: async () => null } as unknown as Parameters<typeof createPasswordCheck>[1],
    { risk, pool: { warm() {}, async stop() {} }, takeTicket: async () => solves() === 'every' },
  )
  const guess = async (tried: Guess): Promise<string> => {
    const trying = check.signIn({ ...tried, password: 'guess', captchaTicket: 'solved' })
    const answer: unknown = await trying.catch((error: unknown) => error)
    if (!(answer instanceof AppError)) throw answer
    return answer.code
  }
  return { clock, guess, compared: () => compared }
}

/** Makes the guesses that `plan` names for each second of an hour; answers how many were compared. */
async function attack(solves: Captchas, plan: (second: number) => Guess[]): Promise<number> {
  const { clock, guess, compared } = createWrongCheck(() => solves)
  for (let second = 0; second < hourSeconds; second += 1) {
    for (const tried of plan(second)) await guess(tried)
    clock.advance(1000)
  }
  return compared()
}

const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`

describe('guesses of an hour that get through', () => {
  it.each([
    ['none', 32],
    ['every', 379],
  ] as const)(
    'one address, an account for each guess, solving %s captcha: %i',
    async (solves, count) => {
      const plan = (second: number) => [{ account: `user-${second}`, address: '192.0.2.1' }]
      expect(await attack(solves, plan)).toBe(count)
    },
  )

  it.each([
    ['none', 8],
    ['every', 139],
  ] as const)(
    'an address for each guess, one account, solving %s captcha: %i',
    async (solves, count) => {
      const plan = (second: number) => [{ account: 'owner', address: addressOf(second) }]
      expect(await attack(solves, plan)).toBe(count)
    },
  )

  it('addresses of one /64 count as one', async () => {
    const plan = (second: number) => [
      { account: `user-${second}`, address: `2001:db8:1:2::${second.toString(16)}` },
    ]
    expect(await attack('none', plan)).toBe(32)
  })

  it('an address and an account for each guess, solving none', async () => {
    const plan = (second: number) =>
      [0, 1, 2, 3, 4].map(n => ({
        account: `user-${second * 5 + n}`,
        address: addressOf(second * 5 + n),
      }))
    expect(await attack('none', plan)).toBe(419)
  })

  it('a slow drip from a new address each time, below every limit of one', async () => {
    const plan = (second: number) =>
      second % 600 === 0 ? [{ account: 'owner', address: addressOf(second) }] : []
    expect(await attack('none', plan)).toBe(6)
  })

  it('of two-step codes, by somebody who knows the password, from an address each', async () => {
    const clock = createManualClock()
    const limits = createCodeLimits({ clock })
    let compared = 0
    for (let second = 0; second < hourSeconds; second += 1) {
      const guessing = limits.run(1 as UserId, addressOf(second), async () => {
        compared += 1
        return false
      })
      const answer: unknown = await guessing.catch((error: unknown) => error)
      if (answer !== false && !(answer instanceof AppError)) throw answer
      clock.advance(1000)
    }
    expect(compared).toBe(64)
  })
})

it('an account that is slowed down stays so, however many names are invented behind it', async () => {
  let solves: Captchas = 'every'
  const { guess, compared } = createWrongCheck(() => solves)
  for (let n = 0; n < 20; n += 1) await guess({ account: 'owner', address: addressOf(n) })
  solves = 'none'
  for (let n = 0; n < 20_003; n += 1) {
    const code = await guess({ account: `invented-${n}`, address: '192.0.2.1' })
    if (n >= 3) expect(code).toBe('captcha_required')
  }
  solves = 'every'
  expect(await guess({ account: 'owner', address: '192.0.2.2' })).toBe('rate_limited')
  expect(compared()).toBe(23)
})
