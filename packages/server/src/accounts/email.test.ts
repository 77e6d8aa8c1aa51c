import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { turnOn } from '../second-factor/testing.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { ownEmail, readLetters, tokenIn } from './testing.ts'

let test: TestServer
let owner: TestBrowser
beforeEach(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 100 } })
  owner = await test.signIn()
})
afterEach(() => test.stop())

const minuteMs = 60_000
const codeOf = (answer: { status: number; problem(): { code: string } }) => [
  answer.status,
  answer.problem().code,
]
const change = (email: string, who = owner) => who.send('PATCH', '/custom/profile/', { email })
const pendingOf = async (who = owner) => (await who.get('/api/user/account/')).json().email_pending
const emailOf = async (who = owner) => (await who.get('/api/profile/')).json()[0].email
const confirm = (token: string, who = owner) => who.post('/api/user/email/confirm/', { token })

const letters = () => readLetters(test)
const lastToken = async () => tokenIn((await letters()).at(-1))

const own = (email: string) => ownEmail(test, owner, email)

describe('an e-mail address', () => {
  it('counts once its link was opened, and signs in from then on alone', async () => {
    expect((await change('Me@Example.com')).status).toBe(200)
    expect([await emailOf(), await pendingOf()]).toEqual([
      '',
      {
        email: 'Me@Example.com',
        expires_at: new Date(test.clock.now() + 24 * 60 * minuteMs).toISOString(),
      },
    ])
    const who = { account: 'me@example.com', password: admin.password }
    await expect(test.signIn(who)).rejects.toThrow('invalid_credentials')
    const [letter] = await letters()
    expect(letter).toMatchObject({ kind: 'mail', to: 'Me@Example.com' })
    expect(letter?.code).toMatch(
      /^http:\/\/localhost:8080\/#\/user\/info\?confirm_email=[\w-]{32}$/,
    )
    expect(letter?.text).toContain(letter?.code)
    expect((await confirm(tokenIn(letter))).status).toBe(200)
    expect([await emailOf(), await pendingOf()]).toEqual(['Me@Example.com', null])
    await test.signIn(who)
    expect(codeOf(await confirm(tokenIn(letter)))).toEqual([404, 'email_link_invalid'])
  })

  it('stays until another is confirmed, and is told of it before and after', async () => {
    await own('old@example.com')
    await change('new@example.com')
    expect(await emailOf()).toBe('old@example.com')
    await expect.poll(async () => (await letters()).at(-1)?.subject).toContain('正在更换邮箱')
    const [link, warning] = (await letters()).slice(-2)
    expect([link?.to, warning?.to]).toEqual(['new@example.com', 'old@example.com'])
    expect(warning?.text).not.toContain('new@example.com')
    await confirm(tokenIn(link))
    expect(await emailOf()).toBe('new@example.com')
    await expect
      .poll(async () => (await letters()).at(-1))
      .toMatchObject({ to: 'old@example.com', code: null, subject: '【归港】邮箱已更换' })
  })

  it('needs a recent sign-in for a change and for its end', async () => {
    await own('me@example.com')
    test.clock.advance(10 * minuteMs)
    for (const email of ['other@example.com', '']) {
      expect(codeOf(await change(email))).toEqual([403, 'recent_sign_in_required'])
    }
    expect((await change('ME@example.com')).status).toBe(200)
    await owner.post('/custom/reauthenticate/', { password: admin.password })
    expect((await change('')).json().email).toBe('')
    await expect
      .poll(async () => (await letters()).at(-1))
      .toMatchObject({ to: 'me@example.com', subject: '【归港】邮箱已移除' })
  })

  it('changes together with the username or not at all', async () => {
    const both = (username: string, email: string) =>
      owner.send('PATCH', '/custom/profile/', { username, email })
    const names = async () => {
      const { username, email } = (await owner.get('/api/profile/')).json()[0]
      return [username, email, await pendingOf()]
    }
    await test.signUp('wang')
    // More often than there are letters for: what the name refuses costs none.
    for (let n = 0; n < 6; n += 1) {
      expect(codeOf(await both('wang', 'me@example.com'))).toEqual([409, 'username_taken'])
    }
    expect([await names(), await letters()]).toEqual([['admin', '', null], []])
    for (const email of ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com']) {
      expect((await change(email)).status).toBe(200)
    }
    expect((await both('lili', 'e@example.com')).status).toBe(200)
    expect(codeOf(await both('zhao', 'f@example.com'))).toEqual([429, 'rate_limited'])
    expect(await names()).toMatchObject(['lili', '', { email: 'e@example.com' }])
    test.clock.advance(10 * minuteMs)
    expect(codeOf(await both('zhao', 'f@example.com'))).toEqual([403, 'recent_sign_in_required'])
    expect((await names())[0]).toBe('lili')
  })

  it('is confirmed by the account that asked alone, in time, by the last link', async () => {
    const other = await test.signUp('wang')
    await change('me@example.com')
    const first = await lastToken()
    expect(codeOf(await confirm(first, other))).toEqual([404, 'email_link_invalid'])
    expect((await owner.post('/api/user/email/resend/')).status).toBe(200)
    const second = await lastToken()
    expect(codeOf(await confirm(first))).toEqual([404, 'email_link_invalid'])
    test.clock.advance(24 * 60 * minuteMs)
    expect(codeOf(await confirm(second))).toEqual([404, 'email_link_invalid'])
    expect(await emailOf()).toBe('')
    await owner.post('/api/user/email/resend/')
    const answers = await Promise.all([1, 2, 3].map(async () => confirm(await lastToken())))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
  })

  it('can be given up while it waits', async () => {
    await change('me@example.com')
    const token = await lastToken()
    expect((await owner.send('DELETE', '/api/user/email/pending/')).status).toBe(204)
    expect(codeOf(await confirm(token))).toEqual([404, 'email_link_invalid'])
    expect(codeOf(await owner.send('DELETE', '/api/user/email/pending/'))).toEqual([
      404,
      'not_found',
    ])
    expect(codeOf(await owner.post('/api/user/email/resend/'))).toEqual([404, 'not_found'])
  })

  it('of somebody else answers as a free one does, and only its owner is told', async () => {
    await own('me@example.com')
    const other = await test.signUp('wang')
    const taken = await change('ME@example.com', other)
    const free = await change('free@example.com', other)
    expect(taken.status).toBe(free.status)
    expect(taken.json()).toEqual(free.json())
    const [told] = (await letters()).slice(-2)
    expect(told).toMatchObject({ to: 'ME@example.com', code: null })
    expect(told?.text).not.toContain('wang')
    expect(await emailOf()).toBe('me@example.com')
  })

  it('is reserved by nobody who only typed it: of two, the one who confirms first has it', async () => {
    const other = await test.signUp('wang')
    await change('me@example.com')
    const mine = await lastToken()
    await change('me@example.com', other)
    const theirs = await lastToken()
    const answers = await Promise.all([confirm(mine), confirm(theirs, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const loser = answers.find(({ status }) => status === 409)
    expect(loser?.problem().code).toBe('email_taken')
  })

  it('gets a bounded number of letters, whoever asks', async () => {
    const statuses = []
    for (let n = 0; n < 4; n += 1) statuses.push((await change('me@example.com')).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    const other = await test.signUp('wang')
    expect(codeOf(await change('me@example.com', other))).toEqual([429, 'rate_limited'])
    test.clock.advance(20 * minuteMs)
    expect((await owner.post('/api/user/email/resend/')).status).toBe(200)
  })

  it('of somebody else gets its letters, however often an account without any left names it', async () => {
    for (let n = 0; n < 5; n += 1) expect((await change(`mine-${n}@example.com`)).status).toBe(200)
    for (let n = 0; n < 3; n += 1) {
      expect(codeOf(await change('theirs@example.com'))).toEqual([429, 'rate_limited'])
    }
    const other = await test.signUp('wang')
    expect((await change('theirs@example.com', other)).status).toBe(200)
  })

  it('that has had its letters costs its account none', async () => {
    for (let n = 0; n < 3; n += 1) expect((await change('me@example.com')).status).toBe(200)
    for (let n = 0; n < 3; n += 1) {
      expect(codeOf(await change('me@example.com'))).toEqual([429, 'rate_limited'])
    }
    for (let n = 0; n < 2; n += 1) expect((await change(`mine-${n}@example.com`)).status).toBe(200)
  })

  it('stands with its link in no log, and the link not in the database', async () => {
    await change('me@example.com')
    const token = await lastToken()
    await confirm('wrong')
    await confirm(token)
    expect(test.log.join('')).not.toMatch(new RegExp(`${token}|me@example`))
  })
})

it('cannot be given where no mail is sent', async () => {
  const production = await startTestServer({ mode: 'production' })
  const browser = await production.signIn()
  expect((await browser.get('/api/user/account/')).json().can_mail).toBe(false)
  expect(codeOf(await browser.send('PATCH', '/custom/profile/', { email: 'a@b.example' }))).toEqual(
    [409, 'mail_off'],
  )
  await production.stop()
})

it('owners hear of what guards their account', async () => {
  await own('me@example.com')
  const before = (await letters()).length
  await test.signIn()
  await test.signIn(undefined, { address: '198.51.100.7' })
  await turnOn(test, owner)
  await owner.post('/custom/password/', {
    old_password: admin.password,
    new_password: 'another long password',
  })
  const subjects = async () =>
    (await letters()).slice(before).map(({ to, subject }) => `${to} ${subject}`)
  await expect
    .poll(subjects)
    .toEqual([
      expect.stringMatching(/^me@example.com .*新地点登录/),
      expect.stringMatching(/^me@example.com .*两步验证已开启/),
      expect.stringMatching(/^me@example.com .*密码已修改/),
    ])
})
