import { createHash } from 'node:crypto'
import { type SsoBegun, startSso } from '@homeport/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import { codeMs, requestMs } from './service.ts'

const callback = 'http://localhost:8080/custom/sso/callback'
let test: TestServer
let desktop: TestBrowser
let phone: TestBrowser
let begun: SsoBegun

beforeAll(async () => {
  test = await startTestServer({ limits: { failedSignInBurst: 1_000 } })
  phone = await test.signIn()
})
afterAll(() => test.stop())
beforeEach(async () => {
  desktop = test.open({ address: '198.51.100.7' })
  await desktop.get('/api/login_status/')
  begun = await desktop.call(startSso, { body: { provider: 'homeport' } })
})

const path = (query: Record<string, string> = {}) =>
  `/sso/login?${new URLSearchParams({ state: begun.state, redirect_uri: callback, ...query })}`

async function answerOnPhone(verb: 'confirm' | 'refuse'): Promise<void> {
  const { headers } = await phone.get(path())
  const request = headers.location?.split('request=')[1]
  await phone.post('/api/user/sso-requests/open/', { request })
  const answer = await phone.post(`/api/user/sso-requests/${verb}/`, { request })
  expect(answer.status).toBe(200)
}

describe('the page with the QR code', () => {
  it('shows code, number and address, for the browser that began', async () => {
    const { status, text, headers } = await desktop.get(path())
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('<html lang="zh-CN">')
    expect(text).toMatch(
      /<svg class="code" viewBox="-4 -4 \d+ \d+" role="img" aria-label="登录二维码"/,
    )
    expect(text).toMatch(/<p class="number">\d{4}<\/p>/)
    expect(text).toMatch(
      /<code>http:\/\/localhost:8080\/#\/sso\/confirm\?request=[\w-]{22}<\/code>/,
    )
    // The state is for the browser's way back alone; the phone never sees it.
    expect(text).not.toContain(begun.state)
  })

  it('runs its one script, asks its own host, and nothing else', async () => {
    const { text, headers } = await desktop.get(path())
    const scripts = [...text.matchAll(/<script>(.*?)<\/script>/gs)]
    expect(scripts.length).toBe(1)
    expect(text.match(/<script/g)?.length).toBe(1)
    const hash = createHash('sha256')
      .update(scripts[0]?.[1] ?? '')
      .digest('base64')
    const policy = String(headers['content-security-policy'])
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/=]+'$/),
      `script-src 'sha256-${hash}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
    ])
    expect(text).not.toMatch(/ style=| on\w+=|src=/)
    expect(headers['cache-control']).toBe('no-store')
  })

  it('speaks English', async () => {
    const { text } = await desktop.get(path(), { headers: { 'Accept-Language': 'en' } })
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('The phone has to show the same number')
    expect(text).not.toMatch(/\p{Script=Han}{3}/u)
  })

  it.each([
    ['another host', { redirect_uri: 'https://evil.example/custom/sso/callback' }],
    [
      'credentials before ours',
      { redirect_uri: 'http://localhost:8080@evil.example/custom/sso/callback' },
    ],
    ['no scheme', { redirect_uri: '//evil.example/custom/sso/callback' }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['another path of ours', { redirect_uri: 'http://localhost:8080/custom/logout' }],
    ['ours with more behind it', { redirect_uri: `${callback}/../../custom/logout` }],
    ['ours with a fragment', { redirect_uri: `${callback}#` }],
    ['a record of a tenant', { redirect_uri: 'http://nas.localhost:8080/custom/sso/callback' }],
    ['no address', { redirect_uri: '' }],
    ['an unknown state', { state: 'f'.repeat(48) }],
    ['no state', { state: '' }],
    ['a state as long as a book', { state: 'f'.repeat(5_000) }],
    ['markup', { state: '"><script>alert(1)</script>' }],
  ])('refuses %s, leads nowhere and repeats nothing of it', async (_, query) => {
    for (const browser of [desktop, phone]) {
      const { status, text, headers } = await browser.get(path(query))
      expect([status, headers.location]).toEqual([404, undefined])
      expect(text).toContain('这个登录链接无效或已过期')
      expect(text).not.toMatch(/evil|alert|<script/)
    }
  })

  it('refuses parameters that come twice', async () => {
    const twice = `${path()}&redirect_uri=${encodeURIComponent(callback)}`
    expect((await desktop.get(twice)).status).toBe(404)
  })

  it('leads every other browser to the page that confirms', async () => {
    const { status, headers } = await test.open().get(path())
    expect(status).toBe(303)
    expect(headers.location).toMatch(/^\/#\/sso\/confirm\?request=[\w-]{22}$/)
  })

  it('leads the browser that began back with its code, as often as it asks while the code lives', async () => {
    await answerOnPhone('confirm')
    const first = await desktop.get(path())
    expect([first.status, first.headers['referrer-policy']]).toEqual([303, 'no-referrer'])
    const back = new URL(String(first.headers.location))
    expect(`${back.origin}${back.pathname}`).toBe(callback)
    expect(Object.fromEntries(back.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: begun.state,
    })
    expect((await desktop.get(path())).headers.location).toBe(first.headers.location)
    expect((await phone.get(path())).headers.location).not.toContain('code')
    const onward = await desktop.get(`${back.pathname}${back.search}`)
    expect(onward.headers.location).toBe(`/#/check${back.search}`)
    expect((await desktop.get(`/custom/check/${back.search}`)).status).toBe(200)
  })

  it.each([
    ['a refusal', () => answerOnPhone('refuse'), 0, '手机上拒绝了这次登录'],
    ['5 minutes without an answer', async () => undefined, requestMs, '这次登录已过期或已完成'],
    ['a code that was not traded in', () => answerOnPhone('confirm'), codeMs, '已过期或已完成'],
  ])('says what became of it after %s, with a way on', async (_, before, waitMs, sentence) => {
    await before()
    test.clock.advance(waitMs)
    const { status, text } = await desktop.get(path())
    expect(status).toBe(200)
    expect(text).toContain(sentence)
    expect(text).toContain('<a class="button" href="/#/login">重新登录</a>')
    expect(text).not.toContain('<script')
  })
})

describe('the JSONP sign-out', () => {
  it.each(['done', '_', '$', `a${'b'.repeat(63)}`, 'homeportSignedOut1'])(
    'calls %s, and tells nothing',
    async name => {
      const { status, text, headers } = await desktop.get(`/sso/logout?callback=${name}`)
      expect(status).toBe(200)
      expect(text).toBe(`/**/${name}();`)
      expect(headers['content-type']).toBe('application/javascript; charset=utf-8')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['cross-origin-resource-policy']).toBe('same-origin')
      expect(headers['cache-control']).toBe('no-store')
    },
  )

  it.each([
    '',
    '?callback=',
    '?callback=1a',
    '?callback=a.b',
    '?callback=a%0A',
    '?callback=a()',
    '?callback=alert(1)//',
    '?callback=%E5%BD%92',
    '?callback=a&callback=b',
    `?callback=a${'b'.repeat(64)}`,
  ])('refuses %s', async query => {
    const { status, text, headers } = await desktop.get(`/sso/logout${query}`)
    expect(status).toBe(400)
    expect(headers['content-type']).toContain('application/problem+json')
    expect(text).not.toContain('alert')
    // Nothing has ended.
    expect((await desktop.get(path())).text).toContain('class="number"')
  })

  it("ends the provider's part of this browser, never the session of the console", async () => {
    await answerOnPhone('confirm')
    const code = new URL(String((await desktop.get(path())).headers.location)).searchParams.get(
      'code',
    )
    await desktop.get('/sso/logout?callback=done')
    expect((await desktop.get(path())).status).toBe(404)
    const answer = await desktop.get(`/custom/check/?code=${code}&state=${begun.state}`)
    expect([answer.status, answer.problem().code]).toEqual([422, 'sso_refused'])
    await phone.get('/sso/logout?callback=done')
    expect((await phone.get('/api/login_status/')).json().logged_in).toBe(true)
  })

  it('also ends what the browser began before it signed in', async () => {
    await desktop.post('/custom/login/', { account: 'admin', password: 'correct horse battery' })
    await desktop.get('/sso/logout?callback=done')
    expect((await phone.get(path())).status).toBe(404)
  })
})
