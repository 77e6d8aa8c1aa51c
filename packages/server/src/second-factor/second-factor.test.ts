import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
} from '../testing.ts'
import { codeAt, turnOn } from './testing.ts'

let test: TestServer
let owner: TestBrowser
beforeEach(async () => {
  // Passwords are right here: what holds wrong ones has tests of its own.
  test = await startTestServer({ limits: { failedSignInBurst: 100 } })
  owner = await test.signIn()
})
afterEach(() => test.stop())

const stepMs = 30_000
const minuteMs = 60_000
const codeOf = (answer: TestAnswer) => [answer.status, answer.problem().code]
const state = async (browser = owner) => (await browser.get('/api/user/second-factor/')).json()

async function open(address = '192.0.2.1'): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}
const login = (browser: TestBrowser, second_factor?: string, who = admin) =>
  browser.post('/custom/login/', { ...who, second_factor })
const wrongOf = (code: string) => (code === '000000' ? '000001' : '000000')

describe('setting two-step codes up', () => {
  it('tells the secret, as text and as an address an app reads', async () => {
    const answer = await owner.post('/api/user/second-factor/enrolment/')
    expect(answer.status).toBe(201)
    const { secret, otpauth_url, expires_at } = answer.json()
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const url = new URL(otpauth_url)
    expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp'])
    expect(decodeURIComponent(url.pathname)).toBe('/归港:admin')
    expect(url.searchParams.get('secret')).toBe(secret)
    expect(Date.parse(expires_at) - test.clock.now()).toBe(10 * minuteMs)
    expect(await state()).toEqual({ enabled_at: null, recovery_codes_left: 0 })
    expect((await login(await open())).status).toBe(200)
  })

  it('counts once a code of it was shown, and ends every other session', async () => {
    const other = await test.signIn()
    const { recoveryCodes } = await turnOn(test, owner)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes)
      expect(code).toMatch(/^[0-9a-hjkmnp-tv-z]{5}-[0-9a-hjkmnp-tv-z]{5}$/)
    expect(await state()).toEqual({
      enabled_at: new Date(test.clock.now()).toISOString(),
      recovery_codes_left: 10,
    })
    expect((await other.get('/api/login_status/')).json().logged_in).toBe(false)
    expect(codeOf(await owner.post('/api/user/second-factor/enrolment/'))).toEqual([
      409,
      'second_factor_on',
    ])
  })

  it('refuses a wrong code, a late one, and one of a secret that was replaced', async () => {
    const confirm = (code: string) => owner.post('/api/user/second-factor/confirm/', { code })
    expect(codeOf(await confirm('123456'))).toEqual([409, 'enrolment_expired'])
    const begin = async () =>
      (await owner.post('/api/user/second-factor/enrolment/')).json().secret as string
    const first = await begin()
    const second = await begin()
    const now = () => test.clock.now()
    expect(codeOf(await confirm(codeAt(first, now())))).toEqual([422, 'second_factor_wrong'])
    test.clock.advance(10 * minuteMs)
    await owner.post('/custom/reauthenticate/', { password: admin.password })
    expect(codeOf(await confirm(codeAt(second, now())))).toEqual([409, 'enrolment_expired'])
    expect(await state()).toMatchObject({ enabled_at: null })
  })

  it('needs a recent sign-in for every change', async () => {
    const { recoveryCodes } = await turnOn(test, owner)
    test.clock.advance(10 * minuteMs)
    for (const path of ['enrolment/', 'confirm/', 'recovery-codes/', 'disable/']) {
      const answer = await owner.post(`/api/user/second-factor/${path}`, {
        code: recoveryCodes[0],
      })
      expect(codeOf(answer)).toEqual([403, 'recent_sign_in_required'])
    }
  })

  it('keeps neither secret nor code in clear', async () => {
    const { secret, recoveryCodes } = await turnOn(test, owner)
    const log = test.log.join('\n')
    expect(log).not.toContain(secret)
    for (const code of recoveryCodes) expect(log).not.toContain(code)
  })
})

describe('signing in with two-step codes on', () => {
  let secret: string
  let recoveryCodes: string[]
  beforeEach(async () => {
    ;({ secret, recoveryCodes } = await turnOn(test, owner))
    test.clock.advance(2 * stepMs)
  })
  const now = () => test.clock.now()

  it('asks only after the right password', async () => {
    const browser = await open()
    const wrong = await login(browser, codeAt(secret, now()), { ...admin, password: 'wrong one' })
    expect(codeOf(wrong)).toEqual([401, 'invalid_credentials'])
    expect(codeOf(await login(browser))).toEqual([401, 'second_factor_required'])
    expect(browser.cookies.has('hp_session')).toBe(false)
    // The code that came with the wrong password was not used up.
    expect((await login(browser, codeAt(secret, now()))).status).toBe(200)
  })

  it('begins no session before both, and then one that nobody knew before', async () => {
    const browser = await open()
    const planted = 'A'.repeat(43)
    browser.cookies.set('hp_session', planted)
    await browser.get('/api/login_status/')
    expect(codeOf(await login(browser))).toEqual([401, 'second_factor_required'])
    expect((await browser.get('/api/login_status/')).json().logged_in).toBe(false)
    const csrf = browser.cookies.get('csrftoken')
    expect((await login(browser, codeAt(secret, now()))).status).toBe(200)
    const session = browser.cookies.get('hp_session')
    expect(session).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(session).not.toBe(planted)
    expect(browser.cookies.get('csrftoken')).not.toBe(csrf)
    test.clock.advance(stepMs)
    await login(browser, codeAt(secret, now()))
    expect(browser.cookies.get('hp_session')).not.toBe(session)
    const old = test.open()
    old.cookies.set('hp_session', session ?? '')
    expect((await old.get('/api/login_status/')).json().logged_in).toBe(false)
  })

  it.each([
    [-2, 422],
    [-1, 200],
    [0, 200],
    [1, 200],
    [2, 422],
  ])('answers a code of %i steps away with %i', async (steps, status) => {
    test.clock.advance(3 * stepMs)
    expect((await login(await open(), codeAt(secret, now(), steps))).status).toBe(status)
  })

  it('takes a code once, and none older than the last', async () => {
    const [older, code] = [codeAt(secret, now(), -1), codeAt(secret, now())]
    expect((await login(await open(), code)).status).toBe(200)
    expect(codeOf(await login(await open(), code))).toEqual([422, 'second_factor_wrong'])
    expect(codeOf(await login(await open(), older))).toEqual([422, 'second_factor_wrong'])
  })

  it('lets exactly one of many at once win, with a code or a recovery code', async () => {
    for (const code of [codeAt(secret, now()), recoveryCodes[0] ?? '']) {
      const browsers = await Promise.all([1, 2, 3, 4].map(n => open(`192.0.2.${n}`)))
      const answers = await Promise.all(browsers.map(browser => login(browser, code)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
      test.clock.advance(10 * minuteMs)
    }
  })

  it('takes a recovery code in any spelling, once', async () => {
    const [code = ''] = recoveryCodes
    const browser = await open()
    expect((await login(browser, ` ${code.toUpperCase().replace('-', ' ')} `)).status).toBe(200)
    expect(await state(browser)).toMatchObject({ recovery_codes_left: 9 })
    expect(codeOf(await login(await open(), code))).toEqual([422, 'second_factor_wrong'])
  })

  it('takes no code of another account', async () => {
    const other = await test.signUp('li-wei')
    const theirs = await turnOn(test, other)
    test.clock.advance(2 * stepMs)
    const codes = [codeAt(theirs.secret, now()), theirs.recoveryCodes[0]]
    for (const code of codes) {
      expect(codeOf(await login(await open(), code))).toEqual([422, 'second_factor_wrong'])
    }
    // And what was tried here still works there.
    const who = { account: 'li-wei', password: admin.password }
    for (const code of codes) expect((await login(await open(), code, who)).status).toBe(200)
  })

  it('slows guessing down after five, for the account from every address, even with the right one', async () => {
    const guess = wrongOf(codeAt(secret, now()))
    for (const last of [1, 2, 3, 4, 5]) {
      expect((await login(await open(`192.0.2.${last}`), guess)).status).toBe(422)
    }
    const browser = await open('192.0.2.6')
    const refused = await login(browser, codeAt(secret, now()))
    expect(codeOf(refused)).toEqual([429, 'rate_limited'])
    expect(refused.headers['retry-after']).toBe('60')
    test.clock.advance(minuteMs)
    expect((await login(browser, codeAt(secret, now()))).status).toBe(200)
  })

  it('counts guesses that come at once', async () => {
    const browsers = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(n => open(`192.0.2.${n}`)))
    const guess = wrongOf(codeAt(secret, now()))
    const answers = await Promise.all(browsers.map(browser => login(browser, guess)))
    expect(answers.map(({ status }) => status).sort()).toEqual([422, 422, 422, 422, 422, 429, 429])
  })

  it('refuses a call from another origin, and uses nothing up for it', async () => {
    const code = codeAt(secret, now())
    const browser = await open()
    const answer = await browser.post(
      '/custom/login/',
      { ...admin, second_factor: code },
      { headers: { Origin: 'http://evil.localhost:8080' } },
    )
    expect(codeOf(answer)).toEqual([403, 'csrf_failed'])
    expect((await login(browser, code)).status).toBe(200)
  })

  describe('after the password, the code alone', () => {
    const finish = (browser: TestBrowser, second_factor: string) =>
      browser.post('/custom/login/second-step/', { second_factor })
    async function begin(address?: string): Promise<TestBrowser> {
      const browser = await open(address)
      expect(codeOf(await login(browser))).toEqual([401, 'second_factor_required'])
      return browser
    }
    const over = [409, 'sign_in_expired']

    it('begins a session that nobody knew before, once', async () => {
      const browser = await begin()
      const answer = await finish(browser, codeAt(secret, now()))
      expect([answer.status, answer.json()]).toEqual([200, { id: 1 }])
      expect(browser.cookies.get('hp_session')).toMatch(/^[A-Za-z0-9_-]{43}$/)
      test.clock.advance(stepMs)
      expect(codeOf(await finish(browser, codeAt(secret, now())))).toEqual(over)
    })

    it('counts in the same browser, from the same address, within five minutes', async () => {
      const browser = await begin()
      expect(codeOf(await finish(await open(), codeAt(secret, now())))).toEqual(over)
      const moved = await open('192.0.2.2')
      for (const [name, value] of browser.cookies) moved.cookies.set(name, value)
      expect(codeOf(await finish(moved, codeAt(secret, now())))).toEqual(over)
      const late = await begin()
      test.clock.advance(5 * minuteMs - 1)
      expect((await finish(browser, codeAt(secret, now()))).status).toBe(200)
      test.clock.advance(1)
      expect(codeOf(await finish(late, recoveryCodes[0] ?? ''))).toEqual(over)
    })

    it('is taken five times, right or wrong, and then the password is asked for again', async () => {
      const browser = await begin()
      const guess = wrongOf(codeAt(secret, now()))
      for (let n = 0; n < 4; n += 1) expect((await finish(browser, guess)).status).toBe(422)
      // Until the limits of codes let four more be tried.
      test.clock.advance(3 * minuteMs)
      const answers = await Promise.all([1, 2, 3, 4].map(() => finish(browser, guess)))
      expect(answers.map(({ status }) => status).sort()).toEqual([409, 409, 409, 422])
      expect(codeOf(await finish(browser, codeAt(secret, now())))).toEqual(over)
    })

    it('loses none of its five tries while the account is slowed down', async () => {
      const browser = await begin()
      const code = wrongOf(codeAt(secret, now()))
      for (let n = 0; n < 5; n += 1) {
        expect((await owner.post('/api/user/second-factor/disable/', { code })).status).toBe(422)
      }
      for (let n = 0; n < 6; n += 1) {
        expect(codeOf(await finish(browser, code))).toEqual([429, 'rate_limited'])
      }
      test.clock.advance(minuteMs)
      expect((await finish(browser, codeAt(secret, now()))).status).toBe(200)
    })

    it('begins one session where two codes come at once', async () => {
      const browser = await begin()
      const answers = await Promise.all(
        recoveryCodes.slice(0, 2).map(code => finish(browser, code)),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    })

    it('is for the account whose password came last', async () => {
      const other = await test.signUp('li-wei')
      const theirs = await turnOn(test, other)
      test.clock.advance(2 * stepMs)
      const browser = await begin()
      const who = { account: 'li-wei', password: admin.password }
      expect(codeOf(await login(browser, undefined, who))).toEqual([401, 'second_factor_required'])
      expect(codeOf(await finish(browser, codeAt(secret, now())))).toEqual([
        422,
        'second_factor_wrong',
      ])
      expect((await finish(browser, codeAt(theirs.secret, now()))).status).toBe(200)
    })

    it('is worth nothing once the password was changed, or without a first step', async () => {
      const browser = await begin()
      const new_password = 'another horse battery'
      await owner.post('/custom/password/', { old_password: admin.password, new_password })
      expect(codeOf(await finish(browser, codeAt(secret, now())))).toEqual(over)
      expect(codeOf(await finish(await open(), codeAt(secret, now())))).toEqual(over)
    })

    it('lets in without a code where the second factor was turned off meanwhile', async () => {
      const browser = await begin()
      await owner.post('/api/user/second-factor/disable/', { code: codeAt(secret, now()) })
      expect((await finish(browser, '123456')).status).toBe(200)
    })
  })

  it('is not opened by a new password', async () => {
    const password = 'another horse battery'
    await owner.post('/custom/password/', { old_password: admin.password, new_password: password })
    const answer = await login(await open(), undefined, { ...admin, password })
    expect(codeOf(answer)).toEqual([401, 'second_factor_required'])
  })

  it('is not opened by a password that the operator reset, but by the operator’s own command', async () => {
    const password = (await test.server.admin.resetPassword(admin.account)) ?? ''
    const who = { ...admin, password }
    expect(codeOf(await login(await open(), undefined, who))).toEqual([
      401,
      'second_factor_required',
    ])
    const before = await open()
    expect((await login(before, recoveryCodes[0], who)).status).toBe(200)
    const take = (account: string) => test.server.admin.release(account, 'second_factor', false)
    expect(await take('nobody')).toBe('none')
    expect(await take(admin.account)).toBe('released')
    expect(await take(admin.account)).toBe('none')
    expect((await before.get('/api/login_status/')).json().logged_in).toBe(false)
    const after = await open()
    expect((await login(after, undefined, who)).status).toBe(200)
    expect(await state(after)).toEqual({ enabled_at: null, recovery_codes_left: 0 })
  })

  it('new recovery codes and turning off need a code; the old ones are void', async () => {
    const post = (path: string, code?: string) =>
      owner.post(`/api/user/second-factor/${path}/`, { code })
    for (const path of ['recovery-codes', 'disable']) {
      expect(codeOf(await post(path))).toEqual([422, 'invalid_input'])
      const wrong = wrongOf(codeAt(secret, now()))
      expect(codeOf(await post(path, wrong))).toEqual([422, 'second_factor_wrong'])
    }
    const renewed = await post('recovery-codes', codeAt(secret, now()))
    expect(renewed.json().recovery_codes).toHaveLength(10)
    expect(codeOf(await post('disable', recoveryCodes[0]))).toEqual([422, 'second_factor_wrong'])
    const off = await post('disable', renewed.json().recovery_codes[0])
    expect(off.json()).toEqual({ enabled_at: null, recovery_codes_left: 0 })
    expect((await login(await open())).status).toBe(200)
    expect(codeOf(await post('disable', '123456'))).toEqual([409, 'second_factor_off'])
  })
})
