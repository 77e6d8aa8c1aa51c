import { createManualClock } from '@homeport/runtime/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'
import { createOutbox } from './outbox.ts'

const path = '/api/development/outbox/'

const message = (code: string) => ({
  kind: 'sms' as const,
  to: '+8613800138000',
  subject: '登录',
  text: `验证码 ${code}`,
  code,
})

describe('the outbox', () => {
  it('keeps the newest hundred, the newest first', () => {
    const clock = createManualClock()
    const outbox = createOutbox({ mode: 'development', clock })
    expect(outbox?.list()).toEqual([])
    for (let n = 1; n <= 101; n += 1) outbox?.add(message(String(n)))
    const kept = outbox?.list() ?? []
    expect(kept).toHaveLength(100)
    expect(kept[0]).toEqual({
      id: 101,
      ...message('101'),
      at: new Date(clock.now()).toISOString(),
    })
    expect(kept.at(-1)?.code).toBe('2')
  })

  it('does not exist in production', () => {
    expect(createOutbox({ mode: 'production', clock: createManualClock() })).toBe(null)
  })
})

describe('reading the outbox', () => {
  let test: TestServer
  beforeAll(async () => {
    test = await startTestServer()
  })
  afterAll(() => test.stop())

  it.each(['127.0.0.1', '127.8.9.10', '::1', '::ffff:127.0.0.1'])('is for %s', async address => {
    const answer = await test.open({ address }).get(path)
    expect([answer.status, answer.json()]).toEqual([200, []])
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it.each(['192.0.2.1', '10.0.0.1', '::2', '2001:db8::7f00:1'])('is not for %s', async address => {
    const answer = await test.open({ address }).get(path)
    expect([answer.status, answer.problem().code]).toEqual([404, 'not_found'])
  })

  it('is not there in production, for nobody', async () => {
    const production = await startTestServer({ mode: 'production' })
    const browser = await production.signIn(undefined, { address: '127.0.0.1' })
    expect((await browser.get(path)).status).toBe(404)
    await production.stop()
  })
})
