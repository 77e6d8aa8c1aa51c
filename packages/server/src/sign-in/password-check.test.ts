import { createManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createPasswords } from '../accounts/passwords.ts'
import { createRisk } from '../captcha/risk.ts'
import { createSeededRandom } from '../captcha/solvers/measure.ts'
import type { OpenDatabase } from '../db/database.ts'
import { openTestSqlite } from '../db/testing.ts'
import { createPasswordCheck } from './password-check.ts'

let database: OpenDatabase
beforeEach(async () => {
  database = await openTestSqlite()
})
afterEach(() => database.close())

it('uses no ticket up for a try that the full queue of hashes refuses', async () => {
  const clock = createManualClock()
  const held: (() => void)[] = []
  const passwords = await createPasswords({
    hash: async password => password,
    async verify() {
      if (isFull) await new Promise<void>(resolve => held.push(resolve))
      return false
    },
  })
  const tickets = new Set(['solved'])
  const check = createPasswordCheck(
    {
      clock,
      passwords,
      config: {} as Parameters<typeof createPasswordCheck>[0]['config'],
    },
    { findCredential: async () => null } as unknown as Parameters<typeof createPasswordCheck>[1],
    {
      risk: createRisk({ clock }, database.db, createSeededRandom(1)),
      pool: { warm() {}, async stop() {} },
      takeTicket: async ticket => tickets.delete(ticket),
    },
  )
  let isFull = false
  const tried = { account: 'owner', password: 'guess', address: '192.0.2.1' }
  const signIn = (captchaTicket?: string) => check.signIn({ ...tried, captchaTicket })
  for (let n = 0; n < 3; n += 1) {
    await expect(signIn()).rejects.toMatchObject({ code: 'invalid_credentials' })
  }
  isFull = true
  const others = Array.from({ length: 34 }, () => passwords.verify('hash', 'password'))
  await expect(signIn()).rejects.toMatchObject({ code: 'captcha_required' })
  await expect(signIn('solved')).rejects.toMatchObject({ code: 'busy' })
  isFull = false
  for (const release of held) release()
  await Promise.all(others)
  await expect(signIn('solved')).rejects.toMatchObject({ code: 'invalid_credentials' })
  expect(tickets.size).toBe(0)
})
