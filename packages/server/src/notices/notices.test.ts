import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { ownEmail, readLetters } from '../accounts/testing.ts'
import { openVisitor, receiveCode } from '../phone/testing.ts'
import { receiveLink } from '../recovery/testing.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { createTestAuthenticator } from '../second-factor/testing-authenticator.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { writeNotice } from './letters.ts'

const minuteMs = 60_000
const mail = 'me@example.com'
const phone = '+8613800138000'
const newPhone = '+8613900139000'
const password = 'another long password'

let test: TestServer
let owner: TestBrowser
beforeEach(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 100 } })
  owner = await test.signIn()
})
afterEach(() => test.stop())

/** Subjects of notices in order, without the brand. */
const subjects = async (to = mail) =>
  (await readLetters(test))
    .filter(each => each.kind === 'mail' && each.to === to && each.code === null)
    .map(({ subject }) => subject.replace('【归港】', ''))
const changePassword = (from: string, to: string) =>
  owner.post('/custom/password/', { old_password: from, new_password: to })

it('tells of two-step codes, recovery codes and passkeys', async () => {
  await ownEmail(test, owner, mail)
  const options = (await owner.post('/api/user/passkeys/options/', {})).json().options
  const response = createTestAuthenticator().create(options)
  const added = await owner.post('/api/user/passkeys/', { name: 'phone', response })
  expect((await owner.send('DELETE', `/api/user/passkeys/${added.json().id}/`)).status).toBe(204)
  const { secret } = await turnOn(test, owner)
  for (const path of ['recovery-codes', 'disable']) {
    test.clock.advance(minuteMs)
    const code = codeAt(secret, test.clock.now())
    expect((await owner.post(`/api/user/second-factor/${path}/`, { code })).status).toBe(200)
  }
  await expect
    .poll(() => subjects())
    .toEqual([
      '已添加通行密钥',
      '已移除通行密钥',
      '两步验证已开启',
      '恢复码已更换',
      '两步验证已关闭',
    ])
})

it('tells of passwords, numbers, addresses and leaving, the old address of a new one', async () => {
  await ownEmail(test, owner, mail)
  const code = await receiveCode(test, owner, { scene: 'bind', phone })
  await owner.post('/api/verify/phone/bind/', { phone, code })
  test.clock.advance(minuteMs)
  const old_code = await receiveCode(test, owner, { scene: 'rebind', at: phone })
  const next = await receiveCode(test, owner, { scene: 'rebind', phone: newPhone })
  await owner.post('/api/verify/phone/rebind/', { old_code, phone: newPhone, code: next })
  await changePassword(admin.password, password)
  const token = await receiveLink(test, mail)
  const visitor = await openVisitor(test)
  await visitor.post('/api/verify/password/link/reset/', { token, password: admin.password })
  owner = await test.signIn()
  await ownEmail(test, owner, 'new@example.com')
  await expect
    .poll(() => subjects())
    .toEqual([
      '已绑定手机号',
      '手机号已更换',
      '密码已修改',
      '密码已重置',
      '正在更换邮箱',
      '邮箱已更换',
    ])
  const staff = await test.signUp('wang')
  await ownEmail(test, staff, 'wang@example.com')
  expect((await staff.post('/api/user/leaving/', { username: 'wang' })).status).toBe(200)
  await expect.poll(() => subjects('wang@example.com')).toEqual(['账号正在注销'])
  expect(await subjects('new@example.com')).toEqual([])
})

it('says when, from where and what to do, and holds no token', async () => {
  await ownEmail(test, owner, mail)
  const agent =
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  const change = { old_password: admin.password, new_password: password }
  await owner.post('/custom/password/', change, { headers: { 'User-Agent': agent } })
  await expect.poll(() => subjects()).toEqual(['密码已修改'])
  const letter = (await readLetters(test)).at(-1)
  const beijing = new Date(test.clock.now() + 8 * 3_600_000).toISOString()
  expect(letter?.text.split('\n')).toEqual([
    '您的账号 admin：登录密码已修改，其他登录已全部退出。',
    '',
    `时间：${beijing.slice(0, 10)} ${beijing.slice(11, 16)}（北京时间）`,
    '来自：Chrome · Windows，公网（192.0.2.*）',
    '',
    '如果是您本人操作，不用理会这封邮件。',
    '如果不是，请马上登录，修改密码并退出其他登录：http://localhost:8080/#/user/info',
    '登录不了时，请用登录页的“忘记密码？”，或联系服务的管理员。',
    '',
  ])
})

it('writes nothing that came with a request into a letter', () => {
  const { text, subject } = writeNotice('passkey_added', mail, {
    username: 'li',
    at: 0,
    place: { address: '10.0.0.7', userAgent: 'evil http://evil.example\r\nBcc: x@evil.example' },
    consoleUrl: 'http://localhost:8080',
    language: 'en',
  })
  expect(subject).toBe('归港: Passkey added')
  expect(text).toContain('When: 1970-01-01 00:00 UTC')
  expect(text).toContain('From: unknown browser, a private network (10.0.0.7)')
  expect(text).not.toContain('evil')
  const byOperator = { username: 'li', at: 0, place: null, consoleUrl: '' }
  const operator = writeNotice('password_reset', mail, { ...byOperator, language: 'zh' })
  expect(operator.text).toContain('来自：服务的管理员')
})

it('writes in the language of the account', async () => {
  await ownEmail(test, owner, mail)
  await test.signIn(undefined, { language: 'en' })
  await changePassword(admin.password, password)
  await expect
    .poll(async () => (await readLetters(test)).at(-1)?.subject)
    .toBe('归港: Password changed')
})

it('writes to proved addresses alone', async () => {
  await owner.send('PATCH', '/custom/profile/', { email: mail })
  await changePassword(admin.password, password)
  const other = await test.signUp('wang')
  await ownEmail(test, other, 'wang@example.com')
  await other.post('/custom/password/', { old_password: admin.password, new_password: password })
  // What happened later is told, so that there was nothing to tell before.
  await expect.poll(() => subjects('wang@example.com')).toEqual(['密码已修改'])
  expect(await subjects()).toEqual([])
})

it('writes three letters of a kind, and of another kind all the same', async () => {
  await ownEmail(test, owner, mail)
  for (let n = 0; n < 3; n += 1) {
    await changePassword(admin.password, password)
    await changePassword(password, admin.password)
  }
  await turnOn(test, owner)
  const changed = '密码已修改'
  await expect.poll(() => subjects()).toEqual([changed, changed, changed, '两步验证已开启'])
  test.clock.advance(20 * minuteMs)
  await changePassword(admin.password, password)
  await expect.poll(() => subjects()).toHaveLength(5)
})

it('breaks nothing where the letter does not go', async () => {
  const letters: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    logger: false,
    async onData(stream, _session, done) {
      letters.push(await readText(stream))
      done()
    },
  })
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const live = await startTestServer({
    mode: 'production',
    smtp: { host: '127.0.0.1', port, isImplicitTls: false, from: 'noreply@example.com' },
  })
  const browser = await live.signIn()
  await browser.send(
    'PATCH',
    '/custom/profile/',
    { email: mail },
    { headers: { 'Accept-Language': 'en' } },
  )
  await expect.poll(() => letters).toHaveLength(1)
  const plain = (letters[0] ?? '').replace(/=\r?\n/g, '').replaceAll('=3D', '=')
  const token = /confirm_email=([\w-]{32})/.exec(plain)?.[1] ?? ''
  expect((await browser.post('/api/user/email/confirm/', { token })).status).toBe(200)
  await new Promise<void>(resolve => smtp.close(() => resolve()))
  const change = { old_password: admin.password, new_password: password }
  expect((await browser.post('/custom/password/', change)).status).toBe(200)
  await expect
    .poll(() => {
      live.clock.advance(minuteMs)
      return live.log.join('')
    })
    .toContain('a mail was not sent')
  expect(live.log.join('')).not.toContain(mail)
  expect((await live.signIn({ account: 'admin', password })).cookies.has('hp_session')).toBe(true)
  await live.stop()
})
