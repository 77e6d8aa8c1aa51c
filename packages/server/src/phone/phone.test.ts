import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { solveCaptcha } from '../captcha/testing.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { admin, startTestServer, type TestAnswer, type TestServer } from '../testing.ts'
import {
  askForCode,
  listSms,
  makeTicket,
  openVisitor,
  otherThan,
  receiveCode,
  signInByPhone,
} from './testing.ts'

const minuteMs = 60_000
const phone = '+8613800138000'
const codeOf = ({ status, problem }: TestAnswer) => [status, problem().code]

let test: TestServer
beforeEach(async () => {
  test = await startTestServer({ signup: 'open' })
})
afterEach(() => test.stop())

const loginPath = '/api/verify/login/phone/'

describe('asking for a code', () => {
  it('sends six digits and says what they are for', async () => {
    const browser = await openVisitor(test)
    const answer = await askForCode(test, browser, { scene: 'login', phone: '138 0013 8000' })
    expect([answer.status, answer.json()]).toEqual([
      200,
      { resend_after_seconds: 60, expires_after_seconds: 300 },
    ])
    const [message] = await listSms(test, phone)
    expect(message?.code).toMatch(/^\d{6}$/)
    expect(message?.text).toContain(`验证码 ${message?.code}，用于登录`)
  })

  it('takes a ticket that a captcha gave', async () => {
    const browser = await openVisitor(test)
    const captcha_ticket = await solveCaptcha(test, browser, 'login')
    const answer = await browser.post('/api/verify/sms/send/', {
      phone,
      scene: 'login',
      captcha_ticket,
    })
    expect(answer.status).toBe(200)
  })

  it.each([
    ['none', undefined],
    ['an unknown one', 'guess'],
  ])('needs a ticket and gets %s', async (_, captcha_ticket) => {
    const browser = await openVisitor(test)
    const answer = await browser.post('/api/verify/sms/send/', {
      phone,
      scene: 'login',
      captcha_ticket,
    })
    expect(codeOf(answer)).toEqual([403, 'captcha_required'])
    expect(await listSms(test, phone)).toEqual([])
  })

  it('holds a ticket to its scene and address, and uses it once', async () => {
    const browser = await openVisitor(test)
    const send = (scene: string, captcha_ticket: string, number: string) =>
      browser.post('/api/verify/sms/send/', { phone: number, scene, captcha_ticket })
    const ofReset = await makeTicket(test, 'reset')
    expect(codeOf(await send('login', ofReset, phone))).toEqual([403, 'captcha_required'])
    const ofAnother = await makeTicket(test, 'login', '192.0.2.99')
    expect(codeOf(await send('login', ofAnother, phone))).toEqual([403, 'captcha_required'])
    const ticket = await makeTicket(test, 'login')
    expect((await send('login', ticket, phone)).status).toBe(200)
    expect(codeOf(await send('login', ticket, '+8613800138001'))).toEqual([403, 'captcha_required'])
  })

  it('is for one message a minute, and keeps the ticket of who came too early', async () => {
    const browser = await openVisitor(test)
    expect((await askForCode(test, browser, { scene: 'login', phone })).status).toBe(200)
    test.clock.advance(minuteMs - 1)
    const captcha_ticket = await makeTicket(test, 'reset')
    const again = () =>
      browser.post('/api/verify/sms/send/', { phone, scene: 'reset', captcha_ticket })
    const early = await again()
    expect([codeOf(early), early.headers['retry-after']]).toEqual([[429, 'rate_limited'], '1'])
    test.clock.advance(1)
    expect((await again()).status).toBe(200)
  })

  it('is for ten messages a day, from wherever they are asked for', async () => {
    for (let n = 0; n < 10; n += 1) {
      const address = `198.51.100.${n}`
      const browser = await openVisitor(test, address)
      const answer = await askForCode(test, browser, { scene: 'login', phone }, address)
      expect(answer.status).toBe(200)
      test.clock.advance(minuteMs)
    }
    const browser = await openVisitor(test)
    const refused = await askForCode(test, browser, { scene: 'reset', phone })
    expect(codeOf(refused)).toEqual([429, 'rate_limited'])
    expect(refused.headers['retry-after']).toBe(String(24 * 3600 - 600))
    test.clock.advance(24 * 3_600_000 - 10 * minuteMs)
    expect((await askForCode(test, browser, { scene: 'reset', phone })).status).toBe(200)
  })

  it('is slowed down for an address and for an account', async () => {
    const browser = await openVisitor(test)
    const send = (n: number) =>
      askForCode(test, browser, { scene: 'login', phone: `+86138001${String(10_000 + n)}` })
    for (let n = 0; n < 20; n += 1) expect((await send(n)).status).toBe(200)
    expect(codeOf(await send(20))).toEqual([429, 'rate_limited'])

    const own = await test.signIn(admin, { address: '198.51.100.1' })
    const bind = async (n: number) => {
      const number = `+86139001${String(10_000 + n)}`
      return askForCode(test, own, { scene: 'bind', phone: number }, '198.51.100.1')
    }
    for (let n = 0; n < 10; n += 1) expect((await bind(n)).status).toBe(200)
    expect(codeOf(await bind(10))).toEqual([429, 'rate_limited'])
  })

  it('names what is wrong with a number', async () => {
    const browser = await openVisitor(test)
    for (const [typed, problem] of [
      ['hello', 'phone_signs'],
      ['51234567', 'phone_country'],
      ['1380013800', 'phone_mainland'],
      ['+852123', 'phone_length'],
    ]) {
      const answer = await browser.post('/api/verify/sms/send/', { phone: typed, scene: 'login' })
      expect(answer.problem().errors).toMatchObject([{ path: 'phone', code: problem }])
      expect(answer.problem().errors?.[0]?.message).not.toBe('内容不正确。')
    }
    const none = await browser.post('/api/verify/sms/send/', { scene: 'login' })
    expect(none.problem().errors).toMatchObject([{ path: 'phone', code: 'required' }])
  })

  it('needs a session where the code is for an account', async () => {
    const browser = await openVisitor(test)
    for (const scene of ['bind', 'rebind', 'confirm'] as const) {
      const answer = await askForCode(test, browser, { scene, phone })
      expect(codeOf(answer)).toEqual([401, 'not_signed_in'])
    }
  })

  it('is refused where no messages are sent, and so is every way behind it', async () => {
    const off = await startTestServer({ sms: { way: 'off' } })
    const browser = await off.signIn()
    const body = { phone, code: '123456', old_code: '123456', password: 'a long password' }
    for (const path of ['sms/send', 'login/phone', 'password/reset', 'phone/bind']) {
      const answer = await browser.post(`/api/verify/${path}/`, { ...body, scene: 'login' })
      expect(codeOf(answer)).toEqual([409, 'sms_off'])
    }
    expect((await browser.get('/api/site/settings/')).json().sign_in).not.toContain('phone')
    await off.stop()
  })
})

describe('signing in', () => {
  it('makes the account on first use, without a password, and finds it from then on', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    const body = { phone: '13800138000', code, accepted_terms_of_service: true }
    const answer = await browser.post(loginPath, body)
    expect(answer.status).toBe(200)
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile).toMatchObject({
      phone_number: phone,
      phone_verified: true,
      phone_bound_at: new Date(test.clock.now()).toISOString(),
      has_password: false,
      accepted_terms_of_service: true,
      is_staff: false,
    })
    expect(profile.username).toMatch(/^user-[0-9a-z]{8}$/)

    test.clock.advance(minuteMs)
    const again = await signInByPhone(test, phone)
    expect((await again.get('/api/profile/')).json()[0]).toMatchObject({ id: profile.id })
  })

  it('does not make one where sign-up is not open', async () => {
    const closed = await startTestServer({ signup: 'invite' })
    const browser = await openVisitor(closed)
    expect((await askForCode(closed, browser, { scene: 'login', phone })).status).toBe(200)
    // The number has no account, so nothing is sent to it; an owner's message comes after that.
    const owner = await closed.signIn()
    const own = '+8613900139000'
    const code = await receiveCode(closed, owner, { scene: 'bind', phone: own })
    expect((await owner.post('/api/verify/phone/bind/', { phone: own, code })).status).toBe(200)
    closed.clock.advance(minuteMs)
    await signInByPhone(closed, own)
    expect(await listSms(closed, phone)).toEqual([])
    await closed.stop()
  })

  it('takes five tries of a code, the right one too', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    for (let n = 0; n < 5; n += 1) {
      const wrong = await browser.post(loginPath, { phone, code: otherThan(code) })
      expect(codeOf(wrong)).toEqual([422, 'sms_code_wrong'])
      expect(wrong.problem().errors).toMatchObject([{ path: 'code' }])
    }
    expect(codeOf(await browser.post(loginPath, { phone, code }))).toEqual([422, 'sms_code_wrong'])
  })

  it('takes the right code after four wrong ones, and spaces in it', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    for (let n = 0; n < 4; n += 1) await browser.post(loginPath, { phone, code: otherThan(code) })
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)} `
    expect((await browser.post(loginPath, { phone, code: spaced })).status).toBe(200)
  })

  it('takes a code for five minutes, once', async () => {
    const browser = await openVisitor(test)
    const old = await receiveCode(test, browser, { scene: 'login', phone })
    test.clock.advance(5 * minuteMs)
    const late = await browser.post(loginPath, { phone, code: old })
    expect(codeOf(late)).toEqual([422, 'sms_code_wrong'])
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    test.clock.advance(5 * minuteMs - 1)
    const other = await openVisitor(test)
    expect((await browser.post(loginPath, { phone, code })).status).toBe(200)
    for (const each of [browser, other]) {
      expect(codeOf(await each.post(loginPath, { phone, code }))).toEqual([422, 'sms_code_wrong'])
    }
  })

  it('lets exactly one of those in who use a code at once, and makes one account', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => browser.post(loginPath, { phone, code })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('makes one account for a number that enters from two browsers at once', async () => {
    const browsers = [await openVisitor(test), await openVisitor(test)]
    const codes: string[] = []
    for (const browser of browsers) {
      codes.push(await receiveCode(test, browser, { scene: 'login', phone }))
      test.clock.advance(minuteMs)
    }
    const answers = await Promise.all(
      browsers.map((browser, n) => browser.post(loginPath, { phone, code: codes[n] })),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(new Set(answers.map(answer => answer.json().id)).size).toBe(1)
  })

  it('voids a code when the next is sent', async () => {
    const browser = await openVisitor(test)
    const first = await receiveCode(test, browser, { scene: 'login', phone })
    test.clock.advance(minuteMs)
    const second = await receiveCode(test, browser, { scene: 'login', phone })
    if (first !== second) {
      const old = await browser.post(loginPath, { phone, code: first })
      expect(codeOf(old)).toEqual([422, 'sms_code_wrong'])
    }
    expect((await browser.post(loginPath, { phone, code: second })).status).toBe(200)
  })

  it('holds a code to its number, its purpose and the browser that asked', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    const otherNumber = await browser.post(loginPath, { phone: '+8613800138001', code })
    expect(codeOf(otherNumber)).toEqual([422, 'sms_code_wrong'])
    const reset = { phone, code, password: 'another long password' }
    const otherPurpose = await browser.post('/api/verify/password/reset/', reset)
    expect(codeOf(otherPurpose)).toEqual([422, 'sms_code_wrong'])
    const stranger = await openVisitor(test, '198.51.100.1')
    // A stranger can neither use it nor use its tries up.
    for (let n = 0; n < 6; n += 1) {
      const answer = await stranger.post(loginPath, { phone, code })
      expect(codeOf(answer)).toEqual([422, 'sms_code_wrong'])
    }
    expect((await browser.post(loginPath, { phone, code })).status).toBe(200)
  })

  it('asks for the second factor, and the code is used up by then', async () => {
    const own = await signInByPhone(test, phone)
    const { secret } = await turnOn(test, own)
    test.clock.advance(minuteMs)
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    const answers = await Promise.all([1, 2].map(() => browser.post(loginPath, { phone, code })))
    expect(answers.map(codeOf).sort()).toEqual([
      [401, 'second_factor_required'],
      [422, 'sms_code_wrong'],
    ])
    expect(browser.cookies.has('hp_session')).toBe(false)
    const finish = (second_factor: string) =>
      browser.post('/custom/login/second-step/', { second_factor })
    expect(codeOf(await finish('000000'))).toEqual([422, 'second_factor_wrong'])
    expect(browser.cookies.has('hp_session')).toBe(false)
    expect((await finish(codeAt(secret, test.clock.now()))).status).toBe(200)
    expect(browser.cookies.has('hp_session')).toBe(true)
  })

  it('writes neither codes nor numbers into the log or the database', async () => {
    const browser = await openVisitor(test)
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    await browser.post(loginPath, { phone, code: otherThan(code) })
    const { readFile, readdir } = await import('node:fs/promises')
    const folder = test.settings.dataFolder
    for (const file of (await readdir(folder)).filter(name => name.startsWith('homeport.sqlite'))) {
      const bytes = await readFile(`${folder}/${file}`)
      for (const secret of [phone, phone.slice(3)]) expect(bytes.includes(secret)).toBe(false)
    }
    expect(test.log.length).toBeGreaterThan(0)
    for (const line of test.log) {
      expect(line).not.toContain(phone.slice(3))
      expect(line).not.toMatch(new RegExp(`\\b${code}\\b`))
    }
  })

  it('counts as a password with the number for a name', async () => {
    const own = await test.signIn()
    const code = await receiveCode(test, own, { scene: 'bind', phone })
    await own.post('/api/verify/phone/bind/', { phone, code })
    for (const account of ['13800138000', '+86 138 0013 8000', phone]) {
      await test.signIn({ account, password: admin.password })
    }
    const bare = await signInByPhone(test, '+8613900139000')
    expect((await bare.get('/api/profile/')).json()[0].has_password).toBe(false)
    for (const password of ['x', '']) {
      const none = test.signIn({ account: '13900139000', password })
      await expect(none).rejects.toThrow(/invalid_credentials|invalid_input/)
    }
  })
})
