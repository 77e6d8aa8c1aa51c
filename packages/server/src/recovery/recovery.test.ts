import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownEmail, readLetters, tokenIn } from '../accounts/testing.ts'
import { makeTicket, openVisitor } from '../phone/testing.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
} from '../testing.ts'
import { resetLinkMs } from './service.ts'
import { askForLink, receiveLink } from './testing.ts'

const minuteMs = 60_000
const mail = 'me@example.com'
const password = 'another long password'
const codeOf = ({ status, problem }: TestAnswer) => [status, problem().code]
const dead = [404, 'reset_link_invalid']

let test: TestServer
let owner: TestBrowser
beforeEach(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 100 } })
  owner = await test.signIn()
  await ownEmail(test, owner, mail)
})
afterEach(() => test.stop())

const post = async (path: string, body: object) => (await openVisitor(test)).post(path, body)
const read = (token: string) => post('/api/verify/password/link/', { token })
const reset = (token: string, more: object = {}) =>
  post('/api/verify/password/link/reset/', { token, password, ...more })
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in
const resetLetters = async () =>
  (await readLetters(test)).filter(({ code }) => code?.includes('/reset?'))

describe('a link to reset the password', () => {
  it('opens a new password once, ends every session and begins none', async () => {
    const token = await receiveLink(test, mail)
    expect((await resetLetters())[0]).toMatchObject({ to: mail, kind: 'mail' })
    // Looked at by whoever opens the page, and by what opens it before.
    for (let n = 0; n < 3; n += 1) expect((await read(token)).json()).toEqual({ username: 'admin' })
    const visitor = await openVisitor(test)
    const answer = await visitor.post('/api/verify/password/link/reset/', { token, password })
    expect([answer.status, answer.json()]).toEqual([200, { username: 'admin' }])
    expect(await Promise.all([visitor, owner].map(isSignedIn))).toEqual([false, false])
    await expect(test.signIn()).rejects.toThrow('invalid_credentials')
    await test.signIn({ account: mail, password })
    expect(codeOf(await read(token))).toEqual(dead)
    expect(codeOf(await reset(token))).toEqual(dead)
  })

  it('leaves the second factor where it was', async () => {
    const { secret } = await turnOn(test, owner)
    test.clock.advance(minuteMs)
    expect((await reset(await receiveLink(test, mail))).status).toBe(200)
    const login = { account: mail, password }
    const visitor = await openVisitor(test)
    expect(codeOf(await visitor.post('/custom/login/', login))).toEqual([
      401,
      'second_factor_required',
    ])
    expect(visitor.cookies.has('hp_session')).toBe(false)
    const second_factor = codeAt(secret, test.clock.now())
    expect((await visitor.post('/custom/login/', { ...login, second_factor })).status).toBe(200)
  })

  it('lives for half an hour', async () => {
    const token = await receiveLink(test, mail)
    test.clock.advance(resetLinkMs - 1)
    expect((await read(token)).status).toBe(200)
    test.clock.advance(1)
    expect([codeOf(await read(token)), codeOf(await reset(token))]).toEqual([dead, dead])
  })

  it('stays where the password is refused', async () => {
    const token = await receiveLink(test, mail)
    for (const [weak, problem] of [
      ['Qwerty123', 'too_weak'],
      ['short', 'too_small'],
      [mail, 'too_weak'],
    ]) {
      const answer = await reset(token, { password: weak })
      expect(answer.problem().errors).toMatchObject([{ path: 'password', code: problem }])
    }
    expect((await reset(token)).status).toBe(200)
  })

  it('lets exactly one of those win who use it at once', async () => {
    const token = await receiveLink(test, mail)
    const answers = await Promise.all(
      [1, 2, 3].map(n => reset(token, { password: `${password} ${n}` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    const winner = answers.findIndex(({ status }) => status === 200) + 1
    await test.signIn({ account: mail, password: `${password} ${winner}` })
  })

  it('outlives those that a stranger asks for after it, and voids them', async () => {
    const first = await receiveLink(test, mail)
    const later = []
    for (let n = 0; n < 2; n += 1) {
      test.clock.advance(minuteMs)
      later.push(await receiveLink(test, mail))
    }
    expect((await reset(first)).status).toBe(200)
    for (const token of [first, ...later]) {
      expect([codeOf(await read(token)), codeOf(await reset(token))]).toEqual([dead, dead])
    }
    await test.signIn({ account: mail, password })
  })

  it('is one of those of which exactly one wins when they are used at once', async () => {
    const tokens = []
    for (let n = 0; n < 3; n += 1) {
      tokens.push(await receiveLink(test, mail))
      test.clock.advance(minuteMs)
    }
    const answers = await Promise.all(tokens.map(token => reset(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it('is void with a new password, even the same one', async () => {
    const token = await receiveLink(test, mail)
    const same = { old_password: admin.password, new_password: admin.password }
    expect((await owner.post('/custom/password/', same)).status).toBe(200)
    expect([codeOf(await read(token)), codeOf(await reset(token))]).toEqual([dead, dead])
    await test.signIn()
  })

  it('is void with another address, also once the old one is back', async () => {
    const change = async (email: string) => {
      await ownEmail(test, owner, email)
    }
    const token = await receiveLink(test, mail)
    await change('other@example.com')
    expect(codeOf(await reset(token))).toEqual(dead)
    await change(mail)
    expect(codeOf(await reset(token))).toEqual(dead)
    test.clock.advance(minuteMs)
    const next = await receiveLink(test, mail)
    await owner.send('PATCH', '/custom/profile/', { email: '' })
    expect(codeOf(await reset(next))).toEqual(dead)
    await test.signIn()
  })

  it('is opened by nothing else', async () => {
    await owner.send('PATCH', '/custom/profile/', { email: 'next@example.com' })
    const confirmation = tokenIn((await readLetters(test)).findLast(each => tokenIn(each) !== ''))
    const token = await receiveLink(test, mail)
    expect(codeOf(await reset(confirmation))).toEqual(dead)
    expect(codeOf(await owner.post('/api/user/email/confirm/', { token }))).toEqual([
      404,
      'email_link_invalid',
    ])
    expect(codeOf(await reset('guess'))).toEqual(dead)
    expect((await reset(token)).status).toBe(200)
  })

  it('gives an account that never had a password its first', async () => {
    const bare = await startTestServer({ signup: 'open' })
    const { signInByPhone } = await import('../phone/testing.ts')
    const browser = await signInByPhone(bare, '+8613800138000')
    await ownEmail(bare, browser, mail)
    const token = await receiveLink(bare, mail)
    const visitor = await openVisitor(bare)
    const body = { token, password }
    expect((await visitor.post('/api/verify/password/link/reset/', body)).status).toBe(200)
    await bare.signIn({ account: mail, password })
    await bare.stop()
  })
})

describe('asking for a link', () => {
  it('answers alike for an address that is proved, waits, or is unknown, and mails the first alone', async () => {
    const other = await test.signUp('wang')
    await other.send('PATCH', '/custom/profile/', { email: 'waiting@example.com' })
    const answers = []
    for (const email of ['unknown@example.com', 'waiting@example.com', 'ME@Example.com']) {
      answers.push(await askForLink(test, email))
    }
    const [first] = answers
    const plain = ({ status, text, headers }: TestAnswer) => [status, text, Object.keys(headers)]
    for (const answer of answers) expect(plain(answer)).toEqual(plain(first as TestAnswer))
    expect(first?.json()).toEqual({ expires_after_seconds: 1800 })
    // To the address as it was proved, not as it was typed.
    await expect.poll(async () => (await resetLetters()).map(({ to }) => to)).toEqual([mail])
    for (const email of ['unknown@example.com', 'waiting@example.com', mail]) {
      const again = await askForLink(test, email)
      expect([codeOf(again), again.headers['retry-after']]).toEqual([[429, 'rate_limited'], '60'])
    }
  })

  it('needs a captcha of its scene, which who comes too early keeps', async () => {
    const browser = await openVisitor(test)
    const ask = (captcha_ticket?: string) =>
      browser.post('/api/verify/password/mail/', { email: mail, captcha_ticket })
    for (const ticket of [undefined, 'guess', await makeTicket(test, 'login')]) {
      expect(codeOf(await ask(ticket))).toEqual([403, 'captcha_required'])
    }
    expect((await ask(await makeTicket(test, 'reset'))).status).toBe(200)
    const kept = await makeTicket(test, 'reset')
    expect(codeOf(await ask(kept))).toEqual([429, 'rate_limited'])
    test.clock.advance(minuteMs)
    expect((await ask(kept)).status).toBe(200)
    test.clock.advance(minuteMs)
    expect(codeOf(await ask(kept))).toEqual([403, 'captcha_required'])
  })

  it('is for ten letters a day to an address, from wherever, also after a restart', async () => {
    for (let n = 0; n < 10; n += 1) {
      expect((await askForLink(test, mail, `198.51.100.${n}`)).status).toBe(200)
      test.clock.advance(minuteMs)
    }
    await test.restart()
    const refused = await askForLink(test, mail, '198.51.100.99')
    expect([codeOf(refused), refused.headers['retry-after']]).toEqual([
      [429, 'rate_limited'],
      String(24 * 3600 - 600),
    ])
    test.clock.advance(24 * 3_600_000 - 10 * minuteMs)
    expect((await askForLink(test, mail, '198.51.100.99')).status).toBe(200)
  })

  it('is for ten letters a day about an account, whatever its address is by then', async () => {
    for (let n = 0; n < 10; n += 1) {
      await receiveLink(test, mail)
      test.clock.advance(3 * minuteMs)
    }
    const sent = (await resetLetters()).length
    await owner.post('/custom/reauthenticate/', { password: admin.password })
    await ownEmail(test, owner, 'other@example.com')
    expect((await askForLink(test, 'other@example.com')).status).toBe(200)
    // Letters are written in order: what is there after this one was all there was.
    await test.signIn(undefined, { address: '198.51.100.7' })
    await expect.poll(async () => (await readLetters(test)).at(-1)?.subject).toContain('新地点登录')
    expect(await resetLetters()).toHaveLength(sent)
  })

  it('is slowed down for who asks', async () => {
    const ask = (n: number) => askForLink(test, `somebody-${n}@example.com`, '198.51.100.1')
    for (let n = 0; n < 10; n += 1) expect((await ask(n)).status).toBe(200)
    expect(codeOf(await ask(10))).toEqual([429, 'rate_limited'])
    test.clock.advance(3 * minuteMs)
    expect((await ask(11)).status).toBe(200)
  })

  it('names what is no address', async () => {
    const browser = await openVisitor(test)
    for (const email of [
      '',
      'nowhere',
      'a@b.example, c@d.example',
      `${'a'.repeat(250)}@b.example`,
    ]) {
      const answer = await browser.post('/api/verify/password/mail/', { email })
      expect(answer.problem().errors?.map(({ path }) => path)).toEqual(['email'])
    }
  })

  it('writes in the language of the account, not of who asks', async () => {
    await test.signIn(undefined, { language: 'en' })
    await receiveLink(test, mail)
    expect((await resetLetters())[0]?.subject).toBe('归港: reset your password')
    await test.signIn(undefined, { language: 'zh-CN' })
    test.clock.advance(minuteMs)
    await receiveLink(test, mail)
    expect((await resetLetters())[1]?.subject).toBe('【归港】重置密码')
  })

  it('leaves neither link nor address in the log or the database', async () => {
    const token = await receiveLink(test, mail)
    await askForLink(test, 'unknown@example.com')
    await reset('wrong')
    await read(token)
    await reset(token)
    expect(test.log.length).toBeGreaterThan(0)
    expect(test.log.join('')).not.toMatch(new RegExp(`${token}|example\\.com`))
    const { readFile, readdir } = await import('node:fs/promises')
    const folder = test.settings.dataFolder
    for (const file of (await readdir(folder)).filter(name => name.startsWith('homeport.sqlite'))) {
      const bytes = await readFile(`${folder}/${file}`)
      for (const secret of [token, 'unknown@example']) expect(bytes.includes(secret)).toBe(false)
    }
  })

  it('is refused where no mail is sent', async () => {
    const off = await startTestServer({ mode: 'production' })
    const browser = await openVisitor(off)
    expect((await browser.get('/api/site/settings/')).json().password_reset).toEqual([])
    const answer = await browser.post('/api/verify/password/mail/', { email: mail })
    expect(codeOf(answer)).toEqual([409, 'mail_off'])
    await off.stop()
  })
})
