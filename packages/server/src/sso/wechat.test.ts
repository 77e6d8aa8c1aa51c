import { startSso } from '@homeport/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { startTestWechat, type TestWechat, type WechatPerson } from './testing-wechat.ts'

const person: WechatPerson = { openid: 'o-1', unionid: 'u-1', nickname: '小明🙂' }

const minuteMs = 60 * 1000

let wechat: TestWechat
let test: TestServer

async function start(app: Partial<TestWechat['app']> = {}): Promise<void> {
  const settings = { ...wechat.app, ...app, apiUrl: wechat.url }
  test = await startTestServer({ wechat: settings, signup: 'open' })
}

beforeEach(async () => {
  wechat = await startTestWechat('localhost:8080')
  await start()
})
afterEach(async () => {
  await test.stop()
  await wechat.stop()
})

async function openBrowser(): Promise<TestBrowser> {
  const browser = test.open()
  await browser.get('/api/login_status/')
  return browser
}

async function begin(browser: TestBrowser, who = person): Promise<URL> {
  const { login_url: address } = await browser.call(startSso, { body: { provider: 'wechat' } })
  expect(new URL(address).origin).toBe('https://open.weixin.qq.com')
  return wechat.confirm(address, who)
}

async function finish(browser: TestBrowser, back: URL) {
  const answer = await browser.get(`/custom/check/${back.search}`)
  return answer.status === 200 ? answer.json().id : answer.problem().code
}

it('signs in: the address is what the open platform asks for, and the account is found again', async () => {
  const browser = await openBrowser()
  const id = await finish(browser, await begin(browser))
  expect(id).toEqual(expect.any(Number))
  const again = await openBrowser()
  expect(await finish(again, await begin(again))).toBe(id)
  const [identity] = (await browser.get('/api/user/identities/')).json()
  expect(identity).toMatchObject({ provider: 'wechat', display_name: '小明🙂' })
  // Two Han characters are too short for a username, so it is a plain one.
  const [profile] = (await browser.get('/api/profile/')).json()
  expect(profile.username).toMatch(/^user-[a-z2-9]{6}$/)
})

it('is a recent sign-in from when it began: the person confirms on the phone each time', async () => {
  const browser = await openBrowser()
  const back = await begin(browser)
  test.clock.advance(minuteMs)
  expect(await finish(browser, back)).toEqual(expect.any(Number))
  test.clock.advance(9 * minuteMs - 1)
  expect((await browser.post('/api/user/token-reset/')).status).toBe(200)
  test.clock.advance(1)
  const late = await browser.post('/api/user/token-reset/')
  expect(late.problem().code).toBe('recent_sign_in_required')
})

it('takes the unionid for the person, whatever the app calls them; without one the openid', async () => {
  const idOf = async (who: WechatPerson) => {
    const browser = await openBrowser()
    return finish(browser, await begin(browser, who))
  }
  const id = await idOf(person)
  expect(await idOf({ ...person, openid: 'o-2', nickname: '改了名' })).toBe(id)
  expect(await idOf({ ...person, unionid: 'u-2' })).not.toBe(id)
  const plain = await idOf({ openid: 'o-1', nickname: '' })
  expect(plain).not.toBe(id)
  expect(await idOf({ openid: 'o-1', nickname: '' })).toBe(plain)
  // An openid that is spelt like a unionid is still none.
  expect(await idOf({ openid: 'u-1', nickname: '' })).not.toBe(id)
})

it('refuses a code that is unknown, used or late', async () => {
  const browser = await openBrowser()
  const forged = await begin(browser)
  forged.searchParams.set('code', 'made-up')
  expect(await finish(browser, forged)).toBe('sso_refused')

  const first = await begin(browser)
  const second = await begin(browser)
  expect(await finish(browser, first)).toEqual(expect.any(Number))
  const other = await openBrowser()
  const mixed = await begin(other)
  mixed.searchParams.set('code', first.searchParams.get('code') ?? '')
  expect(await finish(other, mixed)).toBe('sso_refused')
  // Signed in meanwhile, the browser is another one to the server.
  expect(await finish(browser, second)).toBe('sso_flow_unknown')

  const late = await openBrowser()
  const back = await begin(late)
  wechat.advance(5 * 60 * 1000)
  expect(await finish(late, back)).toBe('sso_refused')
})

it.each([-1, 40001, 45011])('calls errcode %s a fault of the service', async errcode => {
  const browser = await openBrowser()
  const back = await begin(browser)
  wechat.failNext(errcode)
  expect(await finish(browser, back)).toBe('sso_unavailable')
  expect(test.log.join('')).toContain(`"errcode":${errcode}`)
})

it.each([{ secret: 'wrong' }, { appId: 'wx-wrong' }])('is of no use with %o', async app => {
  await test.stop()
  await start(app)
  const own = await openBrowser()
  const { login_url: address } = await own.call(startSso, { body: { provider: 'wechat' } })
  // WeChat's page would stop a wrong app already; its API has to as well.
  const registered = new URL(address)
  registered.searchParams.set('appid', wechat.app.appId)
  expect(await finish(own, wechat.confirm(registered.href, person))).toBe('sso_unavailable')
})

it('keeps secret and tokens out of the log when WeChat does not answer', async () => {
  const browser = await openBrowser()
  const back = await begin(browser)
  await wechat.stop()
  expect(await finish(browser, back)).toBe('sso_unavailable')
  const log = test.log.join('')
  expect(log).toContain('WeChat failed')
  for (const secret of [wechat.app.secret, encodeURIComponent(wechat.app.secret), 'secret=']) {
    expect(log).not.toContain(secret)
  }
  expect(log).not.toContain(back.searchParams.get('code') ?? 'no code')
  wechat = await startTestWechat('localhost:8080')
})
