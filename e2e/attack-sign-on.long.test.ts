import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { confirmSsoRequest, openSsoRequest, type SsoBegun, startSso } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  passProvider,
  startTestProvider,
  type TestProvider,
} from '../packages/server/src/sso/testing-oidc.ts'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { openProfile, startBrowser } from './support/browser.ts'
import { callbackLookalikes, foreignUrls } from './support/hostile-urls.ts'
import { freePort, type Homeport, startHomeport } from './support/processes.ts'

// Hostile addresses and states on the way of a sign-on, in Chromium: what an attacker can write into a link. Every evil host leads to a
// server of this machine, so whoever were led there would arrive, and be counted.

let provider: TestProvider
let homeport: Homeport
let browser: Browser
let owner: Account
let evil: Server
const arrivals: string[] = []
let context: BrowserContext
let page: Page
/** Addresses that the tab showed, and scripts that asked to be noticed. */
let shown: string[]

beforeAll(async () => {
  evil = createServer((request, response) => {
    arrivals.push(`${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'text/html')
    response.end('<title>evil</title><link rel="icon" href="data:,">')
  }).listen(0, '127.0.0.1')
  await once(evil, 'listening')
  const { port: evilPort } = evil.address() as AddressInfo
  const port = await freePort()
  provider = await startTestProvider(`http://localhost:${port}`)
  // Each sign-on comes from an address of its own, so that limits, which have tests of their own, do not slow this down.
  homeport = await startHomeport(['--trusted-proxies', '127.0.0.1'], {
    port,
    env: {
      HOMEPORT_SIGNUP: 'open',
      HOMEPORT_OIDC_ISSUER: provider.issuer,
      HOMEPORT_OIDC_CLIENT_ID: provider.client.clientId,
      HOMEPORT_OIDC_CLIENT_SECRET: provider.client.clientSecret,
    },
  })
  browser = await startBrowser([
    `--host-resolver-rules=MAP *.example 127.0.0.1:${evilPort}, MAP * ~NOTFOUND, EXCLUDE *localhost, EXCLUDE 127.0.0.1`,
  ])
  owner = await setUpAdministrator(homeport)
  const { id } = await addDevice(homeport, owner, 'evil')
  const target = `http://127.0.0.1:${evilPort}`
  for (const name of ['evil', 'mine']) await publish(owner, id, { name, target })
})
afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  await provider?.stop()
  evil.close()
})

let visitors = 0
beforeEach(async () => {
  await context?.close()
  context = await openProfile(browser)
  context.setDefaultTimeout(30_000)
  visitors += 1
  await context.setExtraHTTPHeaders({
    'x-forwarded-for': `203.0.${Math.floor(visitors / 250)}.${visitors % 250}`,
  })
  page = await context.newPage()
  shown = []
  page.on('framenavigated', frame => shown.push(frame.url()))
  page.on('dialog', async dialog => {
    shown.push(`dialog ${dialog.message()}`)
    await dialog.dismiss()
  })
})

const withPort = (text: string) => text.replaceAll('PORT', String(homeport.port))
const short = (text: string) => JSON.stringify(text).slice(0, 80)
const isIn = () => page.getByRole('button', { name: '账号菜单' }).waitFor()
const sessionOf = async () =>
  (await context.cookies(homeport.url)).filter(({ name }) => name === 'hp_session')

/** Nobody arrived elsewhere, no script of a visitor's making ran, and every address shown is the console's. */
async function expectQuiet(): Promise<void> {
  expect(arrivals).toEqual([])
  const foreign = shown.filter(url => url !== 'about:blank' && !url.startsWith(`${homeport.url}/`))
  expect(foreign).toEqual([])
  expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false)
}

/** Begins a sign-on in the page as the sign-in page does. */
async function begin(body: object): Promise<SsoBegun> {
  // A page of the same origin with no script of its own, and a policy that lets it ask.
  await page.goto(`${homeport.url}/api/login_status/`)
  return page.evaluate(
    async ([path, text]) => {
      const [, csrf = ''] = /csrftoken=([^;]*)/.exec(document.cookie) ?? []
      const headers = { 'Content-Type': 'application/json', 'X-CSRFToken': csrf }
      return (await fetch(path, { method: 'POST', headers, body: text })).json()
    },
    [startSso.path, JSON.stringify(body)] as const,
  )
}

/** Confirms a sign-on on the owner's phone. */
async function confirm(begun: SsoBegun): Promise<void> {
  const response = await fetch(begun.login_url, { redirect: 'manual' })
  const [, request = ''] = /request=([\w-]+)/.exec(response.headers.get('location') ?? '') ?? []
  await owner.client.call(openSsoRequest, { body: { request } })
  await owner.client.call(confirmSsoRequest, { body: { request } })
}

const loginPage = (state: string, query: string) =>
  `${homeport.url}/sso/login?state=${encodeURIComponent(state)}&${query}`
const callback = () => `${homeport.url}/custom/sso/callback`

describe('redirect_uri at our own provider', () => {
  // A code lives for a minute, so they are tried a few at a time.
  // What no door lets through says nothing of the provider.
  const all = [...callbackLookalikes, ...foreignUrls].filter(text => text.length < 6000)
  const chunks = Array.from({ length: Math.ceil(all.length / 10) }, (_, index) =>
    all.slice(index * 10, index * 10 + 10),
  )

  it.each(chunks.map((chunk, index) => [index + 1, chunk] as const))(
    'gets no code where it is not ours to the letter (%i)',
    async (_, chunk) => {
      const begun = await begin({ provider: 'homeport' })
      await confirm(begun)
      for (const text of chunk) {
        const query = `redirect_uri=${encodeURIComponent(withPort(text))}`
        const address = loginPage(begun.state, query)
        const answer = await page.goto(address)
        expect([answer?.status(), page.url()], text).toEqual([404, address])
      }
      await page.getByText('这个登录链接无效或已过期').waitFor()
      await expectQuiet()
      expect(shown.filter(url => url.includes('code='))).toEqual([])
      // The code was there to be had all the time.
      await page.goto(loginPage(begun.state, `redirect_uri=${encodeURIComponent(callback())}`))
      await isIn()
    },
  )

  it('gets none where it comes twice, as a list, or under another name', async () => {
    const begun = await begin({ provider: 'homeport' })
    await confirm(begun)
    const [own, foreign] = [callback(), 'http://evil.example/'].map(encodeURIComponent)
    for (const query of [
      `redirect_uri=${own}&redirect_uri=${foreign}`,
      `redirect_uri=${foreign}&redirect_uri=${own}`,
      `redirect_uri[]=${own}`,
      `redirect_uri[0]=${own}&redirect_uri[1]=${foreign}`,
      `Redirect_uri=${own}`,
      `redirect_uri%00=${own}`,
      `redirect_uri=${foreign}#&redirect_uri=${own}`,
      `redirect_uri=&redirect_uri=${own}`,
      `redirect_uri=${own}&state=${begun.state}`,
      '',
    ]) {
      await page.goto('about:blank')
      const answer = await page.goto(loginPage(begun.state, query))
      expect(answer?.status(), query).toBe(404)
    }
    await expectQuiet()
    await page.goto(loginPage(begun.state, `redirect_uri=${own}&next=${foreign}&url=${foreign}`))
    await isIn()
    await expectQuiet()
  })
})

describe('the address to go on to', () => {
  it.each(foreignUrls.map((url, index) => [short(url), url, index] as const))(
    'url=%s is forgotten on the way through the provider',
    async (_, text, index) => {
      const url = withPort(text)
      const begun = await begin({ provider: 'oidc', url })
      if (url.length > 2048 || url.includes('\u0000')) {
        expect(begun).toMatchObject({ code: 'invalid_input' })
        return expectQuiet()
      }
      const back = await passProvider(begun.login_url, `person-${index % 5}`)
      await page.goto(back.href)
      await page.waitForURL(`${homeport.url}/#/devices`)
      await isIn()
      await expectQuiet()
    },
  )
})

describe('what comes back from a provider', () => {
  it.each([
    ['nothing', ''],
    ['no state', 'code=a'],
    ['no code', 'state=b'],
    ['a state that nobody made', `code=a&state=${'f'.repeat(48)}`],
    ['two states', `code=a&state=${'f'.repeat(48)}&state=${'e'.repeat(48)}`],
    ['lists', 'code[]=a&state[]=b'],
    ['a state as long as a book', `code=a&state=${'f'.repeat(5000)}`],
    [
      'a script',
      'code=<script>globalThis.owned=1</script>&state="><img src=x onerror=globalThis.owned=1>',
    ],
    ['a script for an error', 'error=<img src=x onerror=globalThis.owned=1>&state=b'],
    ['an error of an own making', 'error=请拨打 123456 联系客服&error_description=请拨打&state=b'],
    ['a fragment of its own', 'code=a&state=b%23/login?url=//evil.example/'],
    ['an address to go on to', 'code=a&state=b&url=//evil.example/&redirect_uri=//evil.example/'],
    ['line feeds', 'code=a%0d%0aSet-Cookie:%20hp_session=x&state=b%0d%0a%0d%0a<script>'],
    ['U+0000', 'code=%00&state=%00'],
    ['a broken escape', 'code=%&state=%E0%A4%A'],
  ])('with %s signs nobody in and is not repeated', async (_, query) => {
    await page.goto(`${callback()}?${query}`)
    await page
      .getByRole('link', { name: '返回登录' })
      .or(page.getByRole('button', { name: '返回登录' }))
      .waitFor()
    expect(await page.locator('body').textContent()).not.toMatch(/123456|evil|owned|onerror/)
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await sessionOf()).toEqual([])
    await expectQuiet()
  })

  it('is worth nothing a second time, in the same browser or another one', async () => {
    const begun = await begin({ provider: 'oidc' })
    const back = (await passProvider(begun.login_url, 'once')).href
    await page.goto(back)
    await isIn()
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(back)
    await page.getByText('登录没有完成').waitFor()
    expect(await sessionOf()).toEqual([])
  })

  it('from one provider fits no sign-on that began at another', async () => {
    const [outside, own] = [
      await begin({ provider: 'oidc' }),
      await begin({ provider: 'homeport' }),
    ]
    await confirm(own)
    // Our own provider knows no state of another one, so a hostile one that sends people here gets no code.
    const query = `redirect_uri=${encodeURIComponent(callback())}`
    expect((await page.goto(loginPage(outside.state, query)))?.status()).toBe(404)
    const before = provider.trades()
    const back = await passProvider(outside.login_url, 'mixed')
    const code = back.searchParams.get('code') ?? ''
    await page.goto(`${callback()}?${new URLSearchParams({ code, state: own.state })}`)
    await page.getByText('登录没有完成').waitFor()
    expect(await sessionOf()).toEqual([])
    expect(provider.trades()).toBe(before)
  })
})
