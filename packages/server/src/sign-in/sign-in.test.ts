import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownEmail } from '../accounts/testing.ts'
import { solveCaptcha } from '../captcha/testing.ts'
import { turnOn } from '../second-factor/testing.ts'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
} from '../testing.ts'

let test: TestServer
beforeEach(async () => {
  test = await startTestServer()
})
afterEach(() => test.stop())

const minuteMs = 60 * 1000
const dayMs = 24 * 60 * minuteMs

async function openBrowser(address = '192.0.2.1'): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}

const codeIn = (link: string) => link.split('=').at(-1) ?? ''

describe('sign-in', () => {
  it('takes the username in any spelling, or the e-mail address', async () => {
    const browser = await test.signIn()
    await ownEmail(test, browser, 'Me@Example.com')
    for (const account of ['ADMIN', 'ａｄｍｉｎ', ' admin ', 'me@example.COM']) {
      expect((await test.signIn({ ...admin, account })).cookies.has('hp_session')).toBe(true)
    }
  })

  it('answers a wrong password alike, whether and however the account exists', async () => {
    await ownEmail(test, await test.signIn(), 'owner@example.com')
    await turnOn(test, await test.signUp('two-steps'))
    const unknown = ['nobody', 'nobody@example.com', '13800138001']
    const answers = []
    for (const account of [...unknown, 'admin', 'owner@example.com', 'two-steps']) {
      const browser = await openBrowser(`192.0.2.${answers.length + 1}`)
      const answer = await browser.post('/custom/login/', { account, password: 'wrong password' })
      const { request_id: _, ...body } = answer.problem()
      const { 'x-request-id': __, date: ___, ...headers } = answer.headers
      answers.push({ status: answer.status, body, headers })
    }
    expect(answers[0]).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    for (const answer of answers) expect(answer).toEqual(answers[0])
  })

  it('reports every missing field at once, and an unreadable body as such', async () => {
    const browser = await openBrowser()
    const empty = await browser.post('/custom/login/')
    expect(empty.status).toBe(422)
    expect(empty.problem().errors?.map(({ path, code }) => [path, code])).toEqual([
      ['account', 'required'],
      ['password', 'required'],
    ])
    const broken = await browser.post('/custom/login/', undefined, { raw: '{"account":' })
    expect([broken.status, broken.problem().code]).toEqual([400, 'malformed_json'])
  })

  it('gives a session nobody knew before, and ends the one the browser came with', async () => {
    const browser = await test.signIn()
    const before = browser.cookies.get('hp_session') ?? ''
    await browser.post('/custom/login/', admin)
    expect(browser.cookies.get('hp_session')).not.toBe(before)
    const old = test.open()
    old.cookies.set('hp_session', before)
    expect((await old.get('/api/login_status/')).json()).toEqual({ logged_in: false, id: null })
  })

  it('does not adopt a session id that somebody planted', async () => {
    const browser = await openBrowser()
    const planted = 'A'.repeat(43)
    browser.cookies.set('hp_session', planted)
    await browser.get('/api/login_status/')
    await browser.post('/custom/login/', admin)
    expect(browser.cookies.get('hp_session')).not.toBe(planted)
  })

  describe('after three wrong passwords', () => {
    const fail = async (account: string, address: string, more: object = {}) =>
      (await openBrowser(address)).post('/custom/login/', {
        account,
        password: 'wrong password',
        ...more,
      })
    const codeOf = (answer: TestAnswer) => [answer.status, answer.problem().code]

    it('for an account, asks for a captcha from every address, even with the right one', async () => {
      for (const last of [1, 2, 3]) {
        expect((await fail('admin', `192.0.2.${last}`)).status).toBe(401)
      }
      const browser = await openBrowser('192.0.2.4')
      expect(codeOf(await browser.post('/custom/login/', admin))).toEqual([403, 'captcha_required'])
      const captcha_ticket = await solveCaptcha(test, browser)
      const answer = await browser.post('/custom/login/', { ...admin, captcha_ticket })
      expect(answer.status).toBe(200)
    })

    it('asks for none again after 10 minutes, or after the right one', async () => {
      for (const last of [1, 2, 3]) await fail('admin', `192.0.2.${last}`)
      test.clock.advance(10 * minuteMs)
      const browser = await openBrowser('192.0.2.4')
      expect((await browser.post('/custom/login/', admin)).status).toBe(200)
      expect((await fail('admin', '192.0.2.5')).status).toBe(401)
    })

    it('treats an unknown account the same, with and without a ticket', async () => {
      const answers: Record<string, unknown[]> = {}
      for (const [account, net] of [
        ['admin', '192.0.2'],
        ['nobody', '198.51.100'],
      ] as const) {
        for (const last of [1, 2, 3]) await fail(account, `${net}.${last}`)
        const refused = await fail(account, `${net}.4`)
        const browser = await openBrowser(`${net}.4`)
        const captcha_ticket = await solveCaptcha(test, browser)
        const tried = await browser.post('/custom/login/', {
          account,
          password: 'wrong password',
          captcha_ticket,
        })
        answers[account] = [refused, tried].map(answer => {
          const { request_id: _, ...body } = answer.problem()
          return [answer.status, body]
        })
      }
      expect(answers.nobody).toEqual(answers.admin)
      expect(answers.admin).toMatchObject([
        [403, {}],
        [401, {}],
      ])
    })

    it('from an address, asks for every account and says so beforehand', async () => {
      const init = async (address: string) =>
        (await (await openBrowser(address)).get('/api/verify/captcha/init/?scene=login')).json()
      expect(await init('192.0.2.9')).toEqual({ required: false })
      for (const name of ['a', 'b', 'c']) await fail(name, '192.0.2.9')
      expect(await init('192.0.2.9')).toEqual({ required: true })
      expect(codeOf(await fail('d', '192.0.2.9'))).toEqual([403, 'captcha_required'])
      expect((await fail('d', '192.0.2.10')).status).toBe(401)
    })

    it('counts those that come at once', async () => {
      const answers = await Promise.all([1, 2, 3, 4, 5, 6].map(n => fail('admin', `192.0.2.${n}`)))
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 401, 401, 403, 403, 403])
    })

    it('an own account does not wash off what the address did', async () => {
      await fail('a', '192.0.2.9')
      await fail('b', '192.0.2.9')
      await test.signIn(admin, { address: '192.0.2.9' })
      await fail('c', '192.0.2.9')
      expect((await fail('d', '192.0.2.9')).status).toBe(403)
    })

    it('lets a ticket be used for one try, of its address and scene', async () => {
      for (const last of [1, 2, 3]) await fail('admin', `192.0.2.${last}`)
      const browser = await openBrowser('192.0.2.4')
      const ticket = await solveCaptcha(test, browser)
      const other = await solveCaptcha(test, browser, 'reset')
      const login = (by: TestBrowser, captcha_ticket: string) =>
        by.post('/custom/login/', { ...admin, captcha_ticket })
      const elsewhere = await openBrowser('192.0.2.5')
      expect(codeOf(await login(elsewhere, ticket))).toEqual([403, 'captcha_required'])
      expect(codeOf(await login(browser, other))).toEqual([403, 'captcha_required'])
      const wrong = { account: 'admin', password: 'wrong password' }
      const answers = await Promise.all(
        [1, 2, 3, 4].map(() =>
          browser.post('/custom/login/', { ...wrong, captcha_ticket: ticket }),
        ),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([401, 403, 403, 403])
    })

    it('and its five minutes, a ticket is worth nothing', async () => {
      for (const last of [1, 2, 3]) await fail('admin', `192.0.2.${last}`)
      const browser = await openBrowser('192.0.2.4')
      const captcha_ticket = await solveCaptcha(test, browser)
      test.clock.advance(5 * minuteMs)
      const late = await browser.post('/custom/login/', { ...admin, captcha_ticket })
      expect(codeOf(late)).toEqual([403, 'captcha_required'])
    })

    it('holds an account down after twenty, whatever captchas were solved', async () => {
      for (const last of [1, 2, 3]) await fail('admin', `192.0.2.${last}`)
      for (let n = 0; n < 17; n += 1) {
        const address = `198.51.100.${n}`
        const captcha_ticket = await solveCaptcha(test, await openBrowser(address))
        expect((await fail('admin', address, { captcha_ticket })).status).toBe(401)
      }
      const browser = await openBrowser('203.0.113.1')
      const captcha_ticket = await solveCaptcha(test, browser)
      const refused = await browser.post('/custom/login/', { ...admin, captcha_ticket })
      expect(codeOf(refused)).toEqual([429, 'rate_limited'])
      expect(refused.headers['retry-after']).toBe('30')
      // The ticket was not used up by a try that was not made.
      test.clock.advance(30_000)
      const answer = await browser.post('/custom/login/', { ...admin, captcha_ticket })
      expect(answer.status).toBe(200)
    })
  })

  it('asks an address that hurries, however right it is', async () => {
    for (let n = 0; n < 60; n += 1) await test.signIn(admin, { address: '192.0.2.9' })
    const browser = await openBrowser('192.0.2.9')
    const init = async () => (await browser.get('/api/verify/captcha/init/?scene=login')).json()
    expect(await init()).toEqual({ required: true })
    const refused = await browser.post('/custom/login/', admin)
    expect([refused.status, refused.problem().code]).toEqual([403, 'captcha_required'])
    expect((await (await openBrowser()).post('/custom/login/', admin)).status).toBe(200)
    test.clock.advance(2000)
    expect(await init()).toEqual({ required: false })
    expect((await browser.post('/custom/login/', admin)).status).toBe(200)
  })

  it('asks addresses nobody signed in from, while passwords are wrong everywhere', async () => {
    await test.signIn(admin, { address: '203.0.113.1' })
    await Promise.all(
      Array.from({ length: 6 }, async (_, tens) => {
        for (let n = 0; n < 10; n += 1) {
          const browser = await openBrowser(`198.51.100.${tens * 10 + n}`)
          await browser.post('/custom/login/', { account: `a${tens * 10 + n}`, password: 'wrong' })
        }
      }),
    )
    const stranger = await openBrowser('203.0.113.2')
    expect((await stranger.post('/custom/login/', admin)).status).toBe(403)
    expect((await test.signIn(admin, { address: '203.0.113.1' })).cookies.has('hp_session')).toBe(
      true,
    )
    test.clock.advance(minuteMs)
    expect((await stranger.post('/custom/login/', admin)).status).toBe(200)
  })
})

describe('a session', () => {
  const isSignedIn = async (browser: TestBrowser) =>
    (await browser.get('/api/login_status/')).json().logged_in

  it('ends after 30 days without use', async () => {
    const browser = await test.signIn()
    test.clock.advance(30 * dayMs - 1)
    expect(await isSignedIn(browser)).toBe(true)
    test.clock.advance(30 * dayMs)
    expect(await isSignedIn(browser)).toBe(false)
    expect(browser.cookies.has('hp_session')).toBe(false)
  })

  it('ends after 90 days however much it is used', async () => {
    const browser = await test.signIn()
    for (let day = 0; day < 89; day += 1) {
      test.clock.advance(dayMs)
      expect(await isSignedIn(browser)).toBe(true)
    }
    test.clock.advance(dayMs)
    expect(await isSignedIn(browser)).toBe(false)
  })

  it('is written down as used at most once a minute', async () => {
    const browser = await test.signIn()
    const seen = async () => (await browser.get('/api/user/sessions/')).json()[0].last_seen_at
    const first = await seen()
    test.clock.advance(minuteMs - 1)
    expect(await seen()).toBe(first)
    test.clock.advance(1)
    expect(await seen()).not.toBe(first)
  })

  it('is listed with the current one first, and another can be ended', async () => {
    const other = await test.signIn()
    test.clock.advance(1000)
    const own = await test.signIn()
    const list = (await own.get('/api/user/sessions/')).json()
    expect(list.map(({ current }: { current: boolean }) => current)).toEqual([true, false])
    expect(list[0]).toMatchObject({ user_agent: 'test', address: '192.0.2.*' })
    expect(JSON.stringify(list)).not.toContain(own.cookies.get('hp_session'))
    const ended = await own.send('DELETE', `/api/user/sessions/${list[1].id}/`)
    expect([ended.status, ended.text]).toEqual([204, ''])
    expect(await isSignedIn(other)).toBe(false)
    expect((await own.send('DELETE', `/api/user/sessions/${list[1].id}/`)).status).toBe(404)
  })

  it('of somebody else answers like one that does not exist', async () => {
    const own = await test.signIn()
    const [{ id }] = (await own.get('/api/user/sessions/')).json()
    const stranger = await test.signUp('stranger')
    const answers = [id, 999_999].map(each =>
      stranger.send('DELETE', `/api/user/sessions/${each}/`),
    )
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.problem().code]).toEqual([404, 'not_found'])
    }
    expect(await isSignedIn(own)).toBe(true)
  })

  it('that ends itself takes its cookie along', async () => {
    const own = await test.signIn()
    const [{ id }] = (await own.get('/api/user/sessions/')).json()
    await own.send('DELETE', `/api/user/sessions/${id}/`)
    expect(own.cookies.has('hp_session')).toBe(false)
  })

  it('beyond the fiftieth ends the one that was not used for longest', async () => {
    const first = await test.signIn()
    test.clock.advance(1000)
    for (let n = 0; n < 50; n += 1) await test.signIn()
    expect(await isSignedIn(first)).toBe(false)
    const last = await test.signIn()
    expect((await last.get('/api/user/sessions/')).json()).toHaveLength(50)
  })
})

describe('the first start', () => {
  let fresh: TestServer
  beforeEach(async () => {
    fresh = await startTestServer({ adminPassword: null })
  })
  afterEach(() => fresh.stop())

  const input = { username: 'root-user', password: 'long enough pass' }

  it('prints a link whose code stands in the fragment and makes one administrator', async () => {
    const link = fresh.server.setupLink() ?? ''
    expect(link).toMatch(/^http:\/\/localhost:8080\/#\/setup\?code=[\w-]{32}$/)
    const browser = fresh.open()
    expect((await browser.get('/api/site/settings/')).json().needs_setup).toBe(true)
    const answer = await browser.post('/custom/setup/', { code: codeIn(link), ...input })
    expect(answer.status).toBe(201)
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile).toMatchObject({ username: 'root-user', is_staff: true, is_superuser: true })
    expect((await browser.get('/api/site/settings/')).json().needs_setup).toBe(false)
  })

  it('lets exactly one of those win who use the code at once', async () => {
    const code = codeIn(fresh.server.setupLink() ?? '')
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four'].map(async name => {
        const browser = fresh.open()
        await browser.get('/api/login_status/')
        return browser.post('/custom/setup/', {
          code,
          username: `${name}-x`,
          password: input.password,
        })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404])
  })

  it('refuses an unknown code, and a weak password without using the code up', async () => {
    const code = codeIn(fresh.server.setupLink() ?? '')
    const browser = fresh.open()
    await browser.get('/api/login_status/')
    const unknown = await browser.post('/custom/setup/', { code: 'guess', ...input })
    expect([unknown.status, unknown.problem().code]).toEqual([404, 'setup_code_invalid'])
    const weak = await browser.post('/custom/setup/', { code, ...input, password: 'Password1!' })
    expect(weak.problem().errors).toMatchObject([{ path: 'password', code: 'too_weak' }])
    const same = await browser.post('/custom/setup/', { code, ...input, password: 'ROOT-user' })
    expect(same.problem().errors).toMatchObject([{ path: 'password', code: 'too_weak' }])
    expect((await browser.post('/custom/setup/', { code, ...input })).status).toBe(201)
  })

  it('stores the code nowhere, and voids it when another is made', async () => {
    const code = codeIn(fresh.server.setupLink() ?? '')
    const next = codeIn(await fresh.server.admin.createSetupLink())
    expect(fresh.log.join('')).not.toContain(code)
    const browser = fresh.open()
    await browser.get('/api/login_status/')
    expect((await browser.post('/custom/setup/', { code, ...input })).status).toBe(404)
    expect((await browser.post('/custom/setup/', { code: next, ...input })).status).toBe(201)
  })
})

describe('sign-up', () => {
  const input = {
    username: 'new-user',
    password: 'long enough pass',
    accepted_terms_of_service: true,
  }
  const signUp = async (on: TestServer, more: object = {}) => {
    const browser = on.open()
    await browser.get('/api/login_status/')
    return browser.post('/custom/signup/', { ...input, ...more })
  }

  it('by invitation needs one that is unused and not expired', async () => {
    const none = await signUp(test)
    expect([none.status, none.problem().code]).toEqual([403, 'signup_closed'])
    const unknown = await signUp(test, { invite: 'guess' })
    expect([unknown.status, unknown.problem().code]).toEqual([404, 'invite_invalid'])
    const expired = codeIn(await test.server.admin.createInvite({ days: 1 }))
    test.clock.advance(dayMs)
    expect((await signUp(test, { invite: expired })).problem().code).toBe('invite_invalid')
    const good = codeIn(await test.server.admin.createInvite())
    expect((await signUp(test, { invite: good })).status).toBe(201)
    expect((await signUp(test, { invite: good, username: 'other' })).status).toBe(404)
  })

  it('lets exactly one of those win who use an invitation at once', async () => {
    const invite = codeIn(await test.server.admin.createInvite())
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map(name => signUp(test, { invite, username: `racer-${name}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 404, 404, 404])
  })

  it('keeps the invitation when the username is taken, in any case or width', async () => {
    const invite = codeIn(await test.server.admin.createInvite())
    const taken = await signUp(test, { invite, username: 'ADMIN' })
    expect([taken.status, taken.problem().code]).toEqual([409, 'username_taken'])
    expect((await signUp(test, { invite })).status).toBe(201)
  })

  it('is open or off as configured', async () => {
    for (const [signup, status] of [
      ['open', 201],
      ['off', 403],
    ] as const) {
      const own = await startTestServer({ signup })
      expect((await signUp(own)).status).toBe(status)
      await own.stop()
    }
  })

  it('makes nobody staff, whatever the body says', async () => {
    const invite = codeIn(await test.server.admin.createInvite())
    const browser = test.open()
    await browser.get('/api/login_status/')
    await browser.post('/custom/signup/', {
      ...input,
      invite,
      is_staff: true,
      is_superuser: true,
      id: 1,
    })
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile).toMatchObject({ is_staff: false, is_superuser: false, username: 'new-user' })
  })
})
