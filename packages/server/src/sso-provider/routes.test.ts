import {
  checkSso,
  openSsoRequest,
  type SsoBegun,
  ssoCategoryOf,
  startSso,
} from '@homeport/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { requestMs } from './service.ts'

const desktopAddress = '198.51.100.7'
const limits = { failedSignInBurst: 1_000 }
let test: TestServer
let desktop: TestBrowser
let phone: TestBrowser

async function openDesktop(at: TestServer, address = desktopAddress): Promise<TestBrowser> {
  const browser = at.open({ address })
  await browser.get('/api/login_status/')
  return browser
}

const begin = (browser = desktop) => browser.call(startSso, { body: { provider: 'homeport' } })

const pathOf = (begun: SsoBegun) => {
  const { pathname, search } = new URL(begun.login_url)
  return `${pathname}${search}`
}

/** The id in the address that the QR code of a login page holds, read from the page of another browser. */
async function scan(begun: SsoBegun, browser = phone): Promise<string> {
  const answer = await browser.get(pathOf(begun))
  expect(answer.status).toBe(303)
  const [, id = ''] =
    /^\/#\/sso\/confirm\?request=([\w-]{22})$/.exec(answer.headers.location ?? '') ?? []
  return id
}

const poll = async (begun: SsoBegun, browser = desktop) => {
  const query = new URLSearchParams({
    timeout: '1',
    category: ssoCategoryOf(begun.id),
    since_time: '0',
  })
  return (await browser.get(`/sso/events?${query}`)).json()
}
const act = (verb: 'open' | 'confirm' | 'refuse', request: string, browser = phone) =>
  browser.post(`/api/user/sso-requests/${verb}/`, { request })
const finish = (begun: SsoBegun, code: string, browser = desktop) =>
  browser.get(`${checkSso.path}?${new URLSearchParams({ code, state: begun.state })}`)
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in

/** Begins at the desktop and confirms on the phone; gives the code that the desktop is told. */
async function confirmed(by = phone): Promise<{ begun: SsoBegun; code: string }> {
  const begun = await begin()
  const id = await scan(begun, by)
  expect((await act('open', id, by)).status).toBe(200)
  expect((await act('confirm', id, by)).status).toBe(200)
  const { events } = await poll(begun)
  return { begun, code: events.at(-1).data.code }
}

describe('signing in with a phone', () => {
  beforeAll(async () => {
    test = await startTestServer({ limits })
    phone = await test.signIn()
  })
  afterAll(() => test.stop())
  beforeEach(async () => {
    desktop = await openDesktop(test)
  })

  it('goes from the address over the phone to a session of the desktop alone', async () => {
    const begun = await begin()
    expect(begun.login_url).toBe(
      `http://localhost:8080/sso/login?${new URLSearchParams({
        state: begun.state,
        redirect_uri: 'http://localhost:8080/custom/sso/callback',
      })}`,
    )
    expect(Date.parse(begun.expires_at)).toBe(test.clock.now() + requestMs)
    const id = await scan(begun)
    const shown = await phone.call(openSsoRequest, { body: { request: id } })
    expect(shown).toMatchObject({
      address: desktopAddress,
      user_agent: 'test',
      is_same_network: false,
    })
    expect((await poll(begun)).events).toEqual([
      {
        timestamp: expect.any(Number),
        category: ssoCategoryOf(begun.id),
        data: { state: 'scanned', number: shown.number },
      },
    ])
    expect((await act('confirm', id)).status).toBe(200)
    const { events } = await poll(begun)
    const { code } = events.at(-1).data
    expect(await isSignedIn(desktop)).toBe(false)
    const before = desktop.cookies.get('hp_session')
    const answer = await finish(begun, code)
    expect(answer.json()).toEqual({ id: 1, linked: null, url: null })
    expect(desktop.cookies.get('hp_session')).not.toBe(before)
    expect(await isSignedIn(desktop)).toBe(true)
    expect((await finish(begun, code)).status).toBe(409)
  })

  it('gives a code to the browser that began, and tells no other that there is one', async () => {
    const { begun, code } = await confirmed()
    const thief = await openDesktop(test)
    const before = test.clock.waitingCount()
    const answer = poll(begun, thief)
    await expect.poll(() => test.clock.waitingCount()).toBe(before + 1)
    test.clock.advance(1_000)
    expect(await answer).toEqual({ timeout: 1, timestamp: test.clock.now() })
    const stolen = await finish(begun, code, thief)
    expect([stolen.status, stolen.problem().code]).toEqual([409, 'sso_flow_unknown'])
    expect(await isSignedIn(thief)).toBe(false)
    expect((await finish(begun, code)).status).toBe(200)
  })

  it('tells the desktop of a refusal', async () => {
    const begun = await begin()
    const id = await scan(begun)
    await act('open', id)
    expect((await act('refuse', id)).status).toBe(200)
    expect((await poll(begun)).events.at(-1).data).toEqual({ state: 'denied' })
    expect((await desktop.get(pathOf(begun))).text).toContain('手机上拒绝了这次登录')
  })

  it.each(['open', 'confirm', 'refuse'] as const)(
    '%s answers whoever has no business there',
    async verb => {
      const begun = await begin()
      const id = await scan(begun)
      const nobody = await act(verb, id, await openDesktop(test))
      expect([nobody.status, nobody.problem().code]).toEqual([401, 'not_signed_in'])
      const forged = await phone.post(
        `/api/user/sso-requests/${verb}/`,
        { request: id },
        { headers: { Origin: 'http://evil.localhost:8080' } },
      )
      expect([forged.status, forged.problem().code]).toEqual([403, 'csrf_failed'])
      const withoutValue = await phone.post(
        `/api/user/sso-requests/${verb}/`,
        { request: id },
        { headers: { 'X-CSRFToken': undefined } },
      )
      expect(withoutValue.status).toBe(403)
      const odd = await act(verb, 'short')
      expect([odd.status, odd.problem().errors?.[0]?.path]).toEqual([422, 'request'])
      const unknown = await act(verb, 'A'.repeat(22))
      expect([unknown.status, unknown.problem().code]).toEqual([404, 'sso_request_gone'])
      // Nothing of that has answered it.
      expect((await act('open', id)).status).toBe(200)
      expect((await act('confirm', id)).status).toBe(200)
    },
  )

  it('confirms once, also when the button is pressed twice', async () => {
    const begun = await begin()
    const id = await scan(begun)
    await act('open', id)
    const both = await Promise.all([act('confirm', id), act('confirm', id)])
    expect(both.map(each => each.status).sort()).toEqual([200, 404])
    const { events } = await poll(begun)
    expect(events.map((event: { data: { state: string } }) => event.data.state)).toEqual([
      'scanned',
      'confirmed',
    ])
  })

  it('makes the session no more recent than the one that confirmed', async () => {
    const old = await test.signIn(admin, { address: '203.0.113.9' })
    test.clock.advance(10 * 60 * 1000)
    const { begun, code } = await confirmed(old)
    await finish(begun, code)
    expect(await isSignedIn(desktop)).toBe(true)
    const answer = await desktop.post('/api/user/token-reset/')
    expect([answer.status, answer.problem().code]).toEqual([403, 'recent_sign_in_required'])
  })

  it('stands in no log line', async () => {
    const { begun, code } = await confirmed()
    await desktop.get(pathOf(begun))
    await finish(begun, code)
    const log = test.log.join('')
    expect(log).toContain('/sso/login')
    for (const secret of [code, begun.state, begun.id]) expect(log).not.toContain(secret)
  })
})

describe('an account with a second factor', () => {
  beforeEach(async () => {
    test = await startTestServer({ limits })
    phone = await test.signIn()
    desktop = await openDesktop(test)
  })
  afterEach(() => test.stop())

  it('is asked for it on the desktop: a phone that confirms does not skip it', async () => {
    const { secret } = await turnOn(test, phone)
    const { begun, code } = await confirmed()
    const asked = await finish(begun, code)
    expect([asked.status, asked.problem().code]).toEqual([401, 'second_factor_required'])
    expect(await isSignedIn(desktop)).toBe(false)
    test.clock.advance(30_000)
    const body = { code, state: begun.state, second_factor: codeAt(secret, test.clock.now()) }
    expect((await desktop.post(checkSso.path, body)).status).toBe(200)
    expect(await isSignedIn(desktop)).toBe(true)
  })

  it('lets nobody in by a code whose session was ended meanwhile', async () => {
    const { begun, code } = await confirmed()
    await phone.post('/custom/logout')
    const answer = await finish(begun, code)
    expect([answer.status, answer.problem().code]).toEqual([422, 'sso_refused'])
    expect(await isSignedIn(desktop)).toBe(false)
  })
})
