import { createManualClock, type ManualClock } from '@homeport/runtime/testing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { insertTestUser } from '../accounts/testing-store.ts'
import type { OpenDatabase } from '../db/database.ts'
import { removeOldSingleUses } from '../db/single-use.ts'
import { describeOnEveryEngine } from '../db/testing.ts'
import { deriveKeys } from '../keys.ts'
import type { SsoAdapter } from './adapter.ts'
import { createSsoFlows, flowMs, type Purpose, type SsoFlows } from './flows.ts'

const adapter: SsoAdapter = {
  name: 'other',
  label: 'Other',
  way: 'redirect',
  subjects: 'outside',
  loginUrl: async ({ state }) => `https://other.example/?state=${state}`,
  redeem: async () => ({ subject: 'li', authenticatedAt: null }),
}
const purpose: Purpose = {
  kind: 'sign-in',
  onward: { url: null, pairing: 'p' },
  acceptedTerms: true,
}
const request = {
  id: 'request',
  address: '192.0.2.1',
  userAgent: 'test',
  ownOrigin: 'http://localhost:8080',
  secure: false,
  language: 'zh',
} as const
const here = { browserKey: 'here', request }
const elsewhere = { browserKey: 'elsewhere', request }
const unknown = { code: 'sso_flow_unknown' }

describeOnEveryEngine('sign-ons under way', openTestDatabase => {
  let database: OpenDatabase
  let clock: ManualClock
  let flows: SsoFlows
  let state: string
  beforeEach(async () => {
    database = await openTestDatabase()
    clock = createManualClock()
    flows = createSsoFlows({ db: database.db, clock, keys: deriveKeys(Buffer.alloc(32, 7)) })
    ;({ state } = await flows.begin(adapter, here, purpose))
  })
  afterEach(() => database.close())

  it('are claimed by exactly one of many codes that race, with all that was kept', async () => {
    const begunAt = clock.now()
    clock.advance(flowMs - 1)
    const codes = ['a', 'b', 'c', 'd']
    const claims = await Promise.allSettled(codes.map(code => flows.claim({ code, state }, here)))
    const won = claims.filter(claim => claim.status === 'fulfilled').map(({ value }) => value)
    expect(won).toMatchObject([{ provider: 'other', purpose, begunAt }])
    for (const claim of claims.filter(({ status }) => status === 'rejected')) {
      expect(claim).toMatchObject({ reason: unknown })
    }
  })

  it('are claimed by their browser, with their state and in time alone, and stay for who may', async () => {
    await expect(flows.claim({ code: 'a', state }, elsewhere)).rejects.toMatchObject(unknown)
    await expect(flows.claim({ code: 'a', state: 'f' }, here)).rejects.toMatchObject(unknown)
    await expect(flows.claim({ code: 'a', state }, here)).resolves.toBeDefined()
    const late = await flows.begin(adapter, here, purpose)
    clock.advance(flowMs)
    const answer = { code: 'a', state: late.state }
    await expect(flows.claim(answer, here)).rejects.toMatchObject(unknown)
    await removeOldSingleUses(database.db, clock.now())
    expect(await database.db.selectFrom('single_uses').selectAll().execute()).toEqual([])
  })

  it('wait for a second factor under the code that was found right, in their browser, until they end', async () => {
    const userId = await insertTestUser(database, 'li')
    const answer = { code: 'right', state }
    await flows.claim(answer, here)
    await expect(flows.findProved(answer, here)).rejects.toMatchObject(unknown)
    await flows.prove(answer, here, { userId, purpose })
    await expect(flows.claim(answer, here)).rejects.toMatchObject({
      code: 'second_factor_required',
    })
    expect(await flows.findProved(answer, here)).toEqual(purpose)
    const other = { code: 'other', state }
    await expect(flows.findProved(other, here)).rejects.toMatchObject(unknown)
    await expect(flows.findProved(answer, elsewhere)).rejects.toMatchObject(unknown)
    await flows.endProved(answer, here)
    await expect(flows.findProved(answer, here)).rejects.toMatchObject(unknown)
    await flows.prove(answer, here, { userId, purpose })
    clock.advance(flowMs)
    await expect(flows.findProved(answer, here)).rejects.toMatchObject(unknown)
  })

  it('give nothing of what was kept to a thief of the table', async () => {
    const text = JSON.stringify(await database.db.selectFrom('single_uses').selectAll().execute())
    for (const secret of [state, 'here', 'pairing']) expect(text).not.toContain(secret)
  })
})
