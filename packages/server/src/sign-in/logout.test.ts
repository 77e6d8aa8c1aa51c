import { MessageChannel } from 'node:worker_threads'
import { createPortChannel, createRelayPeer } from '@homeport/contract/control'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

let test: TestServer
beforeAll(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 1_000 } })
})
afterAll(() => test.stop())

const path = '/custom/logout'
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in

it.each([
  ['a POST of our page', 'POST', {}],
  [
    'a navigation on our page',
    'GET',
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' },
  ],
  ['an old browser that names our page', 'GET', { Referer: 'http://localhost:8080/#/devices' }],
])('%s signs out at once', async (_, method, headers) => {
  const browser = await test.signIn()
  const token = browser.cookies.get('hp_session') ?? ''
  const answer = await browser.send(method, path, undefined, { headers })
  expect([answer.status, answer.headers.location]).toEqual([303, '/#/login'])
  expect(browser.cookies.has('hp_session')).toBe(false)
  const again = test.open()
  again.cookies.set('hp_session', token)
  expect(await isSignedIn(again)).toBe(false)
})

it.each([
  [
    'a link on another site',
    'GET',
    { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'navigate' },
  ],
  ['a sibling name', 'GET', { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'navigate' }],
  ['an address that was typed', 'GET', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }],
  ['an image', 'GET', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'no-cors' }],
  [
    'a prefetch',
    'GET',
    { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate', 'Sec-Purpose': 'prefetch' },
  ],
  ['no hint at all', 'GET', {}],
  ['an old browser that names another page', 'GET', { Referer: 'http://evil.example/' }],
  [
    'an old browser on a page whose name begins like ours',
    'GET',
    { Referer: 'http://localhost:8080.evil.example/' },
  ],
  [
    'an old browser that names ours as somebody',
    'GET',
    { Referer: 'http://localhost:8080@evil.example/' },
  ],
  ['an old browser on a page without an origin', 'GET', { Origin: 'null' }],
  ['a POST of another site', 'POST', { Origin: 'http://evil.example' }],
  ['a POST without the CSRF value', 'POST', { 'X-CSRFToken': undefined }],
])('%s is asked first', async (_, method, headers) => {
  const browser = await test.signIn()
  const answer = await browser.send(method, path, undefined, { headers })
  expect(answer.status).toBe(method === 'GET' ? 200 : 403)
  expect(answer.headers['content-type']).toContain('text/html')
  expect(answer.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-/,
  )
  expect(answer.text).toContain('确定要退出登录吗')
  expect(await isSignedIn(browser)).toBe(true)
})

it("signs out by the form of that page, which carries the browser's CSRF value", async () => {
  const browser = await test.signIn()
  const page = await browser.get(path, { headers: { 'Accept-Language': 'en' } })
  expect(page.text).toContain('Do you want to sign out?')
  const value = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const answer = await browser.post(path, undefined, {
    raw: `csrf=${value}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-CSRFToken': undefined },
  })
  expect(answer.status).toBe(303)
  expect(await isSignedIn(browser)).toBe(false)
})

it('sends whoever is not signed in to the sign-in page', async () => {
  const answer = await test.open().get(path)
  expect([answer.status, answer.headers.location]).toEqual([303, '/#/login'])
})

it('tells the relays, whose gate passes of the session are dead from then on', async () => {
  const { port1, port2 } = new MessageChannel()
  const told = Promise.withResolvers<string>()
  const relay = createRelayPeer(
    createPortChannel(port1),
    {
      probe: () => [],
      routes_changed: () => {},
      device_revoked: () => {},
      console_session_ended: ({ session }) => told.resolve(session),
    },
    ({ cause }) => told.reject(cause),
  )
  test.server.attachRelay(createPortChannel(port2))
  const hello = { relay: 'test', version: '0.1.0', sessions: [] }
  const { ended_sessions: before } = await relay.request('hello', hello)
  const browser = await test.signIn()
  await browser.post(path)
  const session = await told.promise
  expect(before).not.toContain(session)
  // A relay that was away hears of it when it comes back.
  const { ended_sessions: after } = await relay.request('hello', hello)
  expect(after).toContain(session)
  relay.close()
  await relay.closed
})
