import { ownDataSchema } from '@homeport/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

let test: TestServer
let owner: TestBrowser
beforeEach(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 100 } })
  owner = await test.signUp('li.wei')
})
afterEach(() => test.stop())

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const who = { account: 'li.wei', password: admin.password }
const codeOf = (answer: { status: number; problem(): { code: string } }) => [
  answer.status,
  answer.problem().code,
]
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in
async function open(address = '192.0.2.1'): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}
const leave = (body: unknown = { username: 'li.wei' }, browser = owner) =>
  browser.post('/api/user/leaving/', body)
const restore = (browser: TestBrowser) => browser.post('/custom/restore/')

describe('leaving', () => {
  it('needs a recent sign-in and the own name, and ends every session', async () => {
    const other = await test.signIn(who)
    const wrong = await leave({ username: 'admin' })
    expect([wrong.status, wrong.problem().errors]).toMatchObject([
      422,
      [{ path: 'username', code: 'mismatch' }],
    ])
    test.clock.advance(10 * minuteMs)
    expect(codeOf(await leave())).toEqual([403, 'recent_sign_in_required'])
    await owner.post('/custom/reauthenticate/', { password: admin.password })
    const answer = await leave({ username: ' LI.WEI ' })
    expect([answer.status, answer.json()]).toEqual([
      200,
      { deletes_at: new Date(test.clock.now() + 14 * dayMs).toISOString() },
    ])
    expect(owner.cookies.has('hp_session')).toBe(false)
    expect([await isSignedIn(owner), await isSignedIn(other)]).toEqual([false, false])
    const lines = test.log.filter(line => line.includes('account is leaving'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('li.wei')
  })

  it('asks for the second factor where there is one', async () => {
    const { secret } = await turnOn(test, owner)
    expect(codeOf(await leave())).toEqual([401, 'second_factor_required'])
    test.clock.advance(minuteMs)
    const code = codeAt(secret, test.clock.now())
    const wrong = code === '000000' ? '000001' : '000000'
    expect(codeOf(await leave({ username: 'li.wei', second_factor: wrong }))).toEqual([
      422,
      'second_factor_wrong',
    ])
    expect((await leave({ username: 'li.wei', second_factor: code })).status).toBe(200)
  })

  it('is not for the last administrator', async () => {
    const last = await test.signIn()
    expect((await last.get('/api/user/account/')).json().is_last_administrator).toBe(true)
    expect(codeOf(await leave({ username: 'admin' }, last))).toEqual([409, 'last_administrator'])
    expect(await isSignedIn(last)).toBe(true)
  })

  it('uses up no code of the last administrator', async () => {
    const last = await test.signIn()
    const { recoveryCodes } = await turnOn(test, last)
    const asked = { username: 'admin', second_factor: recoveryCodes[0] }
    expect(codeOf(await leave(asked, last))).toEqual([409, 'last_administrator'])
    const { recovery_codes_left } = (await last.get('/api/user/second-factor/')).json()
    expect(recovery_codes_left).toBe(recoveryCodes.length)
  })
})

describe('signing in to an account that is leaving', () => {
  it('begins no session, and tells nobody else that it leaves', async () => {
    await leave()
    const browser = await open()
    expect(codeOf(await browser.post('/custom/login/', who))).toEqual([403, 'account_leaving'])
    expect(browser.cookies.has('hp_session')).toBe(false)
    expect(codeOf(await (await open()).post('/custom/login/', { ...who, password: 'x' }))).toEqual([
      401,
      'invalid_credentials',
    ])
  })

  it('offers to restore it, in that browser alone, for five minutes and once', async () => {
    await leave()
    const browser = await open()
    expect(codeOf(await browser.get('/custom/restore/'))).toEqual([409, 'sign_in_expired'])
    await browser.post('/custom/login/', who)
    expect((await browser.get('/custom/restore/')).json()).toEqual({
      username: 'li.wei',
      deletes_at: new Date(test.clock.now() + 14 * dayMs).toISOString(),
    })
    expect(codeOf(await restore(await open()))).toEqual([409, 'sign_in_expired'])
    const elsewhere = await open('198.51.100.1')
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    expect(codeOf(await restore(elsewhere))).toEqual([409, 'sign_in_expired'])

    test.clock.advance(5 * minuteMs)
    expect(codeOf(await restore(browser))).toEqual([409, 'sign_in_expired'])
    await browser.post('/custom/login/', who)
    const answers = await Promise.all([restore(browser), restore(browser), restore(browser)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    expect((await test.signIn(who)).cookies.has('hp_session')).toBe(true)
  })

  it('comes after the second factor, which the restoration does not skip', async () => {
    const { secret } = await turnOn(test, owner)
    test.clock.advance(minuteMs)
    await leave({ username: 'li.wei', second_factor: codeAt(secret, test.clock.now()) })
    const browser = await open()
    expect(codeOf(await browser.post('/custom/login/', who))).toEqual([
      401,
      'second_factor_required',
    ])
    expect(codeOf(await restore(browser))).toEqual([409, 'sign_in_expired'])
    test.clock.advance(minuteMs)
    const second_factor = codeAt(secret, test.clock.now())
    expect(codeOf(await browser.post('/custom/login/second-step/', { second_factor }))).toEqual([
      403,
      'account_leaving',
    ])
    expect((await restore(browser)).status).toBe(200)
    const [session] = (await browser.get('/api/user/sessions/')).json()
    expect(session).toMatchObject({ way: 'password', second_factor: true })
  })

  it('is worth nothing once the owner came back and changed the password', async () => {
    await leave()
    const [thief, back] = [await open('198.51.100.1'), await open()]
    for (const browser of [thief, back]) await browser.post('/custom/login/', who)
    expect((await restore(back)).status).toBe(200)
    const passwords = { old_password: who.password, new_password: 'nobody else knows this one' }
    expect((await back.post('/custom/password/', passwords)).status).toBe(200)
    expect(codeOf(await restore(thief))).toEqual([409, 'sign_in_expired'])
    expect(await isSignedIn(thief)).toBe(false)
  })

  it('is over when the account was removed', async () => {
    await leave()
    const browser = await open()
    await browser.post('/custom/login/', who)
    test.clock.advance(14 * dayMs)
    expect(codeOf(await (await open()).post('/custom/login/', who))).toEqual([
      401,
      'invalid_credentials',
    ])
    expect(codeOf(await restore(browser))).toEqual([409, 'sign_in_expired'])
    expect((await test.signUp('li.wei')).cookies.has('hp_session')).toBe(true)
  })
})

it('an operator deletes and restores an account', async () => {
  expect(await test.server.admin.deleteAccount('nobody')).toBe(null)
  expect(await test.server.admin.restoreAccount('li.wei')).toBe(false)
  expect(await test.server.admin.deleteAccount('LI.WEI')).toBe(
    new Date(test.clock.now() + 14 * dayMs).toISOString(),
  )
  expect(await isSignedIn(owner)).toBe(false)
  expect(await test.server.admin.restoreAccount('li.wei')).toBe(true)
  expect(await isSignedIn(await test.signIn(who))).toBe(true)
})

describe('the sessions', () => {
  it('tell the way in, the place, and end together but for this one', async () => {
    const abroad = await test.signIn(who, { address: '2001:db8:1:2::7' })
    await test.signIn(who, { address: '192.168.1.9' })
    const list = (await owner.get('/api/user/sessions/')).json()
    const facts = list.map((session: Record<string, unknown>) => [
      session.current,
      session.way,
      session.second_factor,
      session.network,
      session.address,
    ])
    expect(facts).toEqual([
      [true, 'sign_up', false, 'same', '192.0.2.*'],
      [false, 'password', false, 'private', '192.168.1.9'],
      [false, 'password', false, 'public', '2001:db8:1::*'],
    ])
    const ended = await owner.post('/api/user/sessions/end-others/')
    expect([ended.status, ended.json()]).toEqual([200, { ended: 2 }])
    expect([await isSignedIn(abroad), await isSignedIn(owner)]).toEqual([false, true])
    expect((await owner.post('/api/user/sessions/end-others/')).json()).toEqual({ ended: 0 })
  })
})

describe('what hangs on the account', () => {
  const account = async () => (await owner.get('/api/user/account/')).json()

  it('counts pairing commands until they are used, expired or void', async () => {
    expect(await account()).toMatchObject({ devices: 0, records: 0, open_pairing_commands: 0 })
    const { token } = (await owner.get('/api/user/token-sign/')).json()
    await owner.get('/api/user/token-sign/')
    expect((await account()).open_pairing_commands).toBe(2)
    const key = Buffer.alloc(32, 3).toString('base64url')
    const paired = await test
      .open()
      .post('/api/agent/pair/', { token, public_key: key, name: 'nas' })
    expect(paired.status).toBeLessThan(300)
    expect(await account()).toMatchObject({ devices: 1, open_pairing_commands: 1 })
    await owner.post('/api/user/token-reset/')
    expect(await account()).toMatchObject({ devices: 1, open_pairing_commands: 0 })
    await owner.get('/api/user/token-sign/')
    test.clock.advance(10 * minuteMs)
    expect((await account()).open_pairing_commands).toBe(0)
  })

  it('tells which terms were accepted when, each version once', async () => {
    const accepted_at = new Date(test.clock.now()).toISOString()
    const service = { version: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), accepted_at }
    expect((await account()).terms).toEqual({ service, payment: null })
    test.clock.advance(minuteMs)
    await owner.send('PATCH', '/custom/profile/', {})
    const { id } = (await owner.get('/api/profile/')).json()[0]
    await owner.send('PATCH', `/api/profile/${id}/`, {
      accepted_terms_of_service: true,
      accepted_terms_of_payment: true,
    })
    const later = new Date(test.clock.now()).toISOString()
    expect((await account()).terms).toEqual({
      service,
      payment: { version: service.version, accepted_at: later },
    })
  })
})

describe('a copy of the own data', () => {
  const take = () => owner.post('/api/user/export/')

  it('is a file of the documented form with all there is and no secret', async () => {
    const { recoveryCodes, secret } = await turnOn(test, owner)
    const { token } = (await owner.get('/api/profile/')).json()[0]
    const signed = (await owner.get('/api/user/token-sign/')).json().token
    const key = Buffer.alloc(32, 4).toString('base64url')
    await test.open().post('/api/agent/pair/', { token, public_key: key, name: 'nas' })
    const [device] = (await owner.get('/api/user/routers/')).json().results
    for (const name of ['one', 'two']) {
      await owner.post('/api/user/records/', {
        router: device.id,
        name,
        kind: 'http',
        target: 'http://192.168.1.2:80',
      })
    }
    const answer = await take()
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toMatch(
      /^attachment; filename="homeport-\d{4}-\d\d-\d\d\.json"$/,
    )
    expect(answer.headers['cache-control']).toBe('no-store')
    const data = ownDataSchema.parse(answer.json())
    // Whatever is not in the documented form would be cut here.
    expect(data).toEqual(answer.json())
    expect(data.profile).toMatchObject({ username: 'li.wei', is_superuser: false })
    expect(data.devices.map(({ name }) => name)).toEqual(['nas'])
    expect(data.records.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(data.sessions).toMatchObject([{ way: 'sign_up', address: '192.0.2.1' }])
    expect(data.two_step_codes.recovery_codes_left).toBe(10)
    expect(data.invites).toMatchObject([{ role: 'used', remark: '' }])
    for (const hidden of [token, signed, secret, key, ...recoveryCodes, admin.password, '$argon']) {
      expect(answer.text).not.toContain(hidden)
    }
    expect(answer.text).not.toContain(owner.cookies.get('hp_session') ?? '')
  })

  it('needs a recent sign-in, and is to be had five times a day', async () => {
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push((await take()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    test.clock.advance(dayMs)
    expect(codeOf(await take())).toEqual([403, 'recent_sign_in_required'])
    await owner.post('/custom/reauthenticate/', { password: admin.password })
    expect((await take()).status).toBe(200)
  })

  it('is counted where a restart does not forget it', async () => {
    for (let n = 0; n < 5; n += 1) expect((await take()).status).toBe(200)
    await test.restart()
    const refused = await take()
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, String(dayMs / 1000)])
  })

  it('is nobody else’s', async () => {
    const other = await test.signUp('wang')
    const data = ownDataSchema.parse((await other.post('/api/user/export/')).json())
    expect([data.devices, data.records, data.profile.username]).toEqual([[], [], 'wang'])
    expect(codeOf(await (await open()).post('/api/user/export/'))).toEqual([401, 'not_signed_in'])
  })
})
