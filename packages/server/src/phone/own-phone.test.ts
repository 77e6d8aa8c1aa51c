import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recentMs } from '../accounts/sessions.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
} from '../testing.ts'
import {
  askForCode,
  listSms,
  openVisitor,
  otherThan,
  receiveCode,
  signInByPhone,
} from './testing.ts'

const minuteMs = 60_000
const phone = '+8613800138000'
const newPhone = '+8613900139000'
const codeOf = ({ status, problem }: TestAnswer) => [status, problem().code]

let test: TestServer
beforeEach(async () => {
  test = await startTestServer({ signup: 'open' })
})
afterEach(() => test.stop())

const profileOf = async (browser: TestBrowser) => (await browser.get('/api/profile/')).json()[0]
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in

/** Binds a number to whoever is signed in. */
async function bind(browser: TestBrowser, number = phone): Promise<TestAnswer> {
  const code = await receiveCode(test, browser, { scene: 'bind', phone: number })
  return browser.post('/api/verify/phone/bind/', { phone: number, code })
}

describe('binding a number', () => {
  it('writes it down once its code came back', async () => {
    const browser = await test.signIn()
    const code = await receiveCode(test, browser, { scene: 'bind', phone })
    const wrong = await browser.post('/api/verify/phone/bind/', { phone, code: otherThan(code) })
    expect(codeOf(wrong)).toEqual([422, 'sms_code_wrong'])
    expect(await profileOf(browser)).toMatchObject({
      phone_number: '',
      phone_verified: false,
      phone_bound_at: null,
    })
    const answer = await browser.post('/api/verify/phone/bind/', { phone, code })
    expect([answer.status, answer.json()]).toMatchObject([200, { phone_number: phone }])
    expect(await profileOf(browser)).toMatchObject({ phone_verified: true, has_password: true })
    const used = await browser.post('/api/verify/phone/bind/', { phone, code })
    expect(codeOf(used)).toEqual([409, 'phone_bound'])
  })

  it('holds a code to the account that asked', async () => {
    const thief = await test.signUp('thief')
    const owner = await test.signIn()
    const code = await receiveCode(test, owner, { scene: 'bind', phone })
    const stolen = await thief.post('/api/verify/phone/bind/', { phone, code })
    expect(codeOf(stolen)).toEqual([422, 'sms_code_wrong'])
    expect((await owner.post('/api/verify/phone/bind/', { phone, code })).status).toBe(200)
  })

  it('tells that another account has it to the owner of the number alone', async () => {
    await bind(await test.signIn())
    test.clock.advance(minuteMs)
    const second = await test.signUp('second')
    const code = await receiveCode(test, second, { scene: 'bind', phone })
    const wrong = await second.post('/api/verify/phone/bind/', { phone, code: otherThan(code) })
    expect(codeOf(wrong)).toEqual([422, 'sms_code_wrong'])
    const taken = await second.post('/api/verify/phone/bind/', { phone, code })
    expect(codeOf(taken)).toEqual([409, 'phone_taken'])
  })

  it('gives one number to one of two accounts that ask at once', async () => {
    const [first, second] = [await test.signIn(), await test.signUp('second')]
    const one = await receiveCode(test, first, { scene: 'bind', phone })
    test.clock.advance(minuteMs)
    const two = await receiveCode(test, second, { scene: 'bind', phone })
    const answers = await Promise.all([
      first.post('/api/verify/phone/bind/', { phone, code: one }),
      second.post('/api/verify/phone/bind/', { phone, code: two }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('needs a recent sign-in, also for the message', async () => {
    const browser = await test.signIn()
    test.clock.advance(recentMs)
    const sent = await askForCode(test, browser, { scene: 'bind', phone })
    expect(codeOf(sent)).toEqual([403, 'recent_sign_in_required'])
    const body = { phone, code: '123456' }
    const bound = await browser.post('/api/verify/phone/bind/', body)
    expect(codeOf(bound)).toEqual([403, 'recent_sign_in_required'])
    expect(await listSms(test, phone)).toEqual([])
  })
})

describe('changing the number', () => {
  it('needs a code from both numbers, and names each that is wrong', async () => {
    const browser = await test.signIn()
    await bind(browser)
    test.clock.advance(minuteMs)
    // To the own number without a captcha: nobody else can choose where that message goes.
    const old_code = await receiveCode(test, browser, { scene: 'rebind', at: phone })
    const code = await receiveCode(test, browser, { scene: 'rebind', phone: newPhone })
    const rebind = (body: object) =>
      browser.post('/api/verify/phone/rebind/', { phone: newPhone, old_code, code, ...body })
    const both = await rebind({ old_code: otherThan(old_code), code: otherThan(code) })
    expect(codeOf(both)).toEqual([422, 'sms_code_wrong'])
    expect(both.problem().errors?.map(({ path }) => path)).toEqual(['old_code', 'code'])
    const one = await rebind({ code: otherThan(code) })
    expect(one.problem().errors?.map(({ path }) => path)).toEqual(['code'])
    if (old_code !== code) {
      const swapped = await rebind({ old_code: code, code: old_code })
      expect(codeOf(swapped)).toEqual([422, 'sms_code_wrong'])
    }
    expect((await rebind({})).json()).toMatchObject({ phone_number: newPhone })
    expect(codeOf(await rebind({}))).toEqual([409, 'phone_bound'])

    test.clock.advance(minuteMs)
    const entered = await signInByPhone(test, newPhone)
    expect((await profileOf(entered)).id).toBe((await profileOf(browser)).id)
  })

  it('leaves the number free for another account', async () => {
    const browser = await test.signIn()
    await bind(browser)
    test.clock.advance(minuteMs)
    const old_code = await receiveCode(test, browser, { scene: 'rebind', at: phone })
    const code = await receiveCode(test, browser, { scene: 'rebind', phone: newPhone })
    await browser.post('/api/verify/phone/rebind/', { old_code, phone: newPhone, code })
    test.clock.advance(minuteMs)
    const second = await test.signUp('second')
    expect((await bind(second)).status).toBe(200)
  })

  it('needs a number that is bound, and another one', async () => {
    const browser = await test.signIn()
    const none = await askForCode(test, browser, { scene: 'rebind', phone: newPhone })
    expect(codeOf(none)).toEqual([409, 'phone_unbound'])
    const body = { old_code: '123456', phone, code: '123456' }
    const early = await browser.post('/api/verify/phone/rebind/', body)
    expect(codeOf(early)).toEqual([409, 'phone_unbound'])
    await bind(browser)
    test.clock.advance(minuteMs)
    const same = await askForCode(test, browser, { scene: 'rebind', phone })
    expect(codeOf(same)).toEqual([409, 'phone_bound'])
    const again = await askForCode(test, browser, { scene: 'bind', phone: newPhone })
    expect(codeOf(again)).toEqual([409, 'phone_bound'])
  })
})

describe('resetting the password', () => {
  const path = '/api/verify/password/reset/'
  const password = 'another long password'

  it('ends every session, begins none, and the new password opens the account', async () => {
    const browser = await test.signIn()
    await bind(browser)
    test.clock.advance(minuteMs)
    const visitor = await openVisitor(test)
    const code = await receiveCode(test, visitor, { scene: 'reset', phone })
    const answer = await visitor.post(path, { phone, code, password })
    expect([answer.status, answer.json()]).toEqual([200, { username: 'admin' }])
    expect(visitor.cookies.has('hp_session')).toBe(false)
    expect(await isSignedIn(visitor)).toBe(false)
    expect(await isSignedIn(browser)).toBe(false)
    await expect(test.signIn()).rejects.toThrow('invalid_credentials')
    await test.signIn({ account: 'admin', password })
    expect(codeOf(await visitor.post(path, { phone, code, password }))).toEqual([
      422,
      'sms_code_wrong',
    ])
  })

  it('leaves the second factor where it was', async () => {
    const browser = await test.signIn()
    await bind(browser)
    const { secret } = await turnOn(test, browser)
    test.clock.advance(minuteMs)
    const visitor = await openVisitor(test)
    const code = await receiveCode(test, visitor, { scene: 'reset', phone })
    expect((await visitor.post(path, { phone, code, password })).status).toBe(200)
    const login = { account: 'admin', password }
    const step = await visitor.post('/custom/login/', login)
    expect(codeOf(step)).toEqual([401, 'second_factor_required'])
    const second_factor = codeAt(secret, test.clock.now())
    expect((await visitor.post('/custom/login/', { ...login, second_factor })).status).toBe(200)
  })

  it('keeps the code where the password is refused', async () => {
    await bind(await test.signIn())
    test.clock.advance(minuteMs)
    const visitor = await openVisitor(test)
    const code = await receiveCode(test, visitor, { scene: 'reset', phone })
    for (const [weak, problem] of [
      ['Qwerty123', 'too_weak'],
      ['short', 'too_small'],
    ]) {
      const answer = await visitor.post(path, { phone, code, password: weak })
      expect(answer.problem().errors).toMatchObject([{ path: 'password', code: problem }])
    }
    expect((await visitor.post(path, { phone, code, password })).status).toBe(200)
  })

  it('judges no more passwords of an address than it may try codes', async () => {
    const visitor = await openVisitor(test)
    const attempt = () =>
      visitor.post(path, { phone: newPhone, code: '000000', password: 'p4$$w0rd'.repeat(4) })
    const statuses: number[] = []
    while (statuses.length < 100 && statuses.at(-1) !== 429) statuses.push((await attempt()).status)
    expect(statuses).toEqual([...Array(30).fill(422), 429])
  })

  it('lets exactly one of those win who use a code at once', async () => {
    await bind(await test.signIn())
    test.clock.advance(minuteMs)
    const visitor = await openVisitor(test)
    const code = await receiveCode(test, visitor, { scene: 'reset', phone })
    const answers = await Promise.all(
      [1, 2, 3].map(n => visitor.post(path, { phone, code, password: `${password} ${n}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })

  it('says nothing of numbers without an account, and sends them nothing', async () => {
    const visitor = await openVisitor(test)
    const sent = await askForCode(test, visitor, { scene: 'reset', phone: newPhone })
    expect(sent.status).toBe(200)
    const answer = await visitor.post(path, { phone: newPhone, code: '123456', password })
    expect(codeOf(answer)).toEqual([422, 'sms_code_wrong'])
    // What is sent later is there, so the message before it never went.
    await receiveCode(test, visitor, { scene: 'login', phone })
    expect(await listSms(test, newPhone)).toEqual([])
  })
})

describe('an account without a password', () => {
  const password = 'my first long password'

  it('confirms itself by a message, and sets its first password', async () => {
    const browser = await signInByPhone(test, phone)
    test.clock.advance(recentMs)
    const first = { new_password: password }
    const late = await browser.post('/custom/password/', first)
    expect(codeOf(late)).toEqual([403, 'recent_sign_in_required'])
    const code = await receiveCode(test, browser, { scene: 'confirm', at: phone })
    const confirm = (typed: string) =>
      browser.post('/custom/reauthenticate/phone/', { code: typed })
    expect(codeOf(await confirm(otherThan(code)))).toEqual([422, 'sms_code_wrong'])
    expect((await confirm(code)).status).toBe(200)
    expect(codeOf(await confirm(code))).toEqual([422, 'sms_code_wrong'])
    const other = await browser.post('/custom/password/', { ...first, old_password: 'guess' })
    expect(codeOf(other)).toEqual([422, 'wrong_password'])
    expect((await browser.post('/custom/password/', first)).status).toBe(200)
    expect(await profileOf(browser)).toMatchObject({ has_password: true })
    const again = await browser.post('/custom/password/', first)
    expect(again.problem().errors).toMatchObject([{ path: 'old_password', code: 'required' }])
    await test.signIn({ account: phone, password })
  })

  it('is the only one that a message confirms', async () => {
    const browser = await test.signIn()
    await bind(browser)
    test.clock.advance(recentMs)
    const code = await receiveCode(test, browser, { scene: 'confirm', at: phone })
    const answer = await browser.post('/custom/reauthenticate/phone/', { code })
    expect(codeOf(answer)).toEqual([403, 'forbidden'])
    const reset = await browser.post('/api/user/token-reset/')
    expect(codeOf(reset)).toEqual([403, 'recent_sign_in_required'])
  })

  it('gets its messages however many strangers had sent to its number, ten a day', async () => {
    const browser = await signInByPhone(test, phone)
    for (let n = 0; n < 9; n += 1) {
      test.clock.advance(minuteMs)
      const stranger = await openVisitor(test, `198.51.100.${n}`)
      const sent = await askForCode(test, stranger, { scene: 'login', phone }, `198.51.100.${n}`)
      expect(sent.status).toBe(200)
    }
    test.clock.advance(minuteMs)
    const stranger = await openVisitor(test)
    const refused = await askForCode(test, stranger, { scene: 'login', phone })
    expect(codeOf(refused)).toEqual([429, 'rate_limited'])
    const code = await receiveCode(test, browser, { scene: 'confirm', at: phone })
    const confirmed = await browser.post('/custom/reauthenticate/phone/', { code })
    expect(confirmed.status).toBe(200)
    for (let n = 1; n < 10; n += 1) {
      test.clock.advance(15 * minuteMs)
      expect((await askForCode(test, browser, { scene: 'confirm' })).status).toBe(200)
    }
    test.clock.advance(15 * minuteMs)
    const late = await askForCode(test, browser, { scene: 'confirm' })
    expect([codeOf(late), late.headers['retry-after']]).toEqual([
      [429, 'rate_limited'],
      String(24 * 3600 - 150 * 60),
    ])
  })

  it('gets its message at its own number alone', async () => {
    const browser = await signInByPhone(test, phone)
    test.clock.advance(minuteMs)
    const answer = await askForCode(test, browser, { scene: 'confirm', phone: newPhone })
    expect(answer.status).toBe(200)
    expect(await listSms(test, newPhone)).toEqual([])
    const unbound = await askForCode(test, await test.signIn(), { scene: 'confirm' })
    expect(codeOf(unbound)).toEqual([409, 'phone_unbound'])
  })

  it('takes no password to sign in, not even an empty one', async () => {
    const browser = await signInByPhone(test, phone)
    const { username } = await profileOf(browser)
    for (const typed of [' ', admin.password]) {
      const answer = await (await openVisitor(test)).post('/custom/login/', {
        account: username,
        password: typed,
      })
      expect(codeOf(answer)).toEqual([401, 'invalid_credentials'])
    }
  })
})
