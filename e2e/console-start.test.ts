import type { Browser, BrowserContext, Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, startBrowser } from './support/browser.ts'
import { openSignedIn } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Start-up of client.md section 1 and the profile's time-out of section 9.

let homeport: Homeport
let browser: Browser
let owner: Account
let context: BrowserContext
let page: Page
let logged: string[]

beforeAll(async () => {
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

beforeEach(async () => {
  context = await openSignedIn(browser, homeport, owner)
  page = await context.newPage()
  logged = []
  page.on('console', message => {
    if (message.type() === 'error') logged.push(message.text())
  })
  page.on('pageerror', error => expect.unreachable(String(error)))
})

afterEach(() => context.close())

const shared = {
  settings: '**/api/site/settings/',
  announcements: '**/api/announcement/announcements/',
  profile: '**/api/profile/',
}
const failures = {
  'a broken connection': route => route.abort(),
  'a 500': route => route.fulfill({ status: 500, body: '<h1>oops</h1>' }),
  garbage: route => route.fulfill({ status: 200, body: '<!doctype html><p>captive portal' }),
  'another shape': route => route.fulfill({ status: 200, json: [{ id: 'x' }, null] }),
} satisfies Record<string, (route: Route) => Promise<void>>
const keysOf = <T extends object>(table: T) => Object.keys(table) as (keyof T)[]
const open = (path = '/devices') => page.goto(`${homeport.url}/#${path}`)
const devices = () => page.getByRole('heading', { name: '我的设备' }).waitFor()

describe('shared data', () => {
  it('is asked for in parallel, before anything is mounted', async () => {
    const asked = new Set<string>()
    let answer = () => {}
    const held = new Promise<void>(resolve => {
      answer = resolve
    })
    const allAsked = new Promise<void>(resolve => {
      for (const [name, address] of Object.entries(shared)) {
        void page.route(address, async route => {
          asked.add(name)
          if (asked.size === 3) resolve()
          await held
          await route.continue()
        })
      }
    })
    await open()
    await allAsked
    expect(await page.locator('#root').getByRole('status').count()).toBe(1)
    expect(await page.locator('#root').textContent()).toMatch(/^\s*$/)
    answer()
    await devices()
    expect(logged).toEqual([])
  })

  it.each(
    keysOf(shared).flatMap(name => keysOf(failures).map(failure => [name, failure] as const)),
  )('%s that fail by %s are only logged, and the app mounts', async (name, failure) => {
    const address = shared[name]
    await page.route(address, failures[failure])
    await open()
    if (name === 'profile') {
      await page.getByRole('heading', { name: '暂时无法确认登录状态' }).waitFor()
      expect(page.url()).toBe(`${homeport.url}/#/devices`)
      await page.unroute(address)
      await page.getByRole('button', { name: '重试' }).click()
    }
    await devices()
    expect(page.url()).toBe(`${homeport.url}/#/devices`)
    expect(logged.some(text => text.startsWith('start-up data'))).toBe(true)
  })

  it('may fail as a whole', async () => {
    await page.route('**/api/**', route => route.abort())
    await open()
    await page.getByRole('button', { name: '重试' }).waitFor()
    expect(await page.getByText('无法连接服务器，请检查网络后重试。').count()).toBe(1)
    expect(await page.getByRole('banner').getByRole('link', { name: '归港' }).count()).toBe(1)
    expect(await page.getByRole('main').count()).toBe(1)
    await keepScreenshots(page, '25-start-without-server')
    await page.unroute('**/api/**')
    await page.getByRole('button', { name: '重试' }).click()
    await devices()
  })

  it('is no matter of a page whose files are gone: the shell stays around its failure', async () => {
    await page.route('**/assets/StaffPage-*.js', route => route.abort())
    await open()
    await page.getByRole('link', { name: '运营' }).click()
    const main = page.getByRole('main')
    await main.getByRole('heading', { name: '页面没能打开' }).waitFor()
    expect(await main.count()).toBe(1)
    await keepScreenshots(page, '27-page-files-gone')
    await page.unroute('**/assets/StaffPage-*.js')
    await main.getByRole('button', { name: '重新加载' }).click()
    await page.getByRole('heading', { name: '运营' }).waitFor()
  })

  it('is needed by no page without a guard', async () => {
    await page.route('**/api/**', route => route.abort())
    await open('/check')
    await page.getByText('没有可以验证的登录').waitFor()
    expect(await page.title()).toBe('归港 - 验证登录')
  })
})

describe('a call of the start that does not answer', () => {
  const retry = () => page.getByRole('button', { name: '重试' })
  const startUpFaults = () => logged.filter(text => text.startsWith('start-up data'))
  const starting = () => page.locator('#root').getByRole('status')

  /** Opens a route with one shared call held, and waits until that call is under way. */
  async function openHolding(held: keyof typeof shared, path: string): Promise<void> {
    await page.addInitScript(takeOverLimits)
    await page.route(shared[held], () => {})
    const asked = page.waitForRequest(shared[held])
    await open(path)
    await asked
  }

  it.each(['profile', 'announcements', 'settings'] as const)(
    '%s: is waited for 5000 ms and not longer',
    async held => {
      await openHolding(held, '/devices')
      expect(await readLimitMs(shared[held])).toBe(5000)
      expect(await starting().count()).toBe(1)
      expect(startUpFaults()).toEqual([])
      await runOut(shared[held])
      if (held === 'profile') await retry().waitFor()
      else await devices()
      expect(startUpFaults()).toHaveLength(1)
    },
  )

  it('the profile: is shown as a retry and not as a logout', async () => {
    await openHolding('profile', '/user/info?a=1')
    await runOut(shared.profile)
    await page.getByRole('heading', { name: '暂时无法确认登录状态' }).waitFor()
    expect(page.url()).toBe(`${homeport.url}/#/user/info?a=1`)
    await page.getByText('服务器没有及时回应，请重试。').waitFor()
    await keepScreenshots(page, '26-profile-timeout')
  })

  it('the profile: is asked for again by the button, which runs the guard', async () => {
    await openHolding('profile', '/login?invalidDomain=no-such.localhost')
    await runOut(shared.profile)
    await retry().waitFor()
    // Once more without an answer: the retry stays.
    const again = page.waitForRequest(shared.profile)
    await retry().click()
    await again
    expect(await readLimitMs(shared.profile)).toBe(5000)
    await runOut(shared.profile)
    await expect.poll(() => retry().isEnabled()).toBe(true)
    await page.getByRole('heading', { name: '暂时无法确认登录状态' }).waitFor()
    await page.unroute(shared.profile)
    await retry().click()
    await page.waitForURL(`${homeport.url}/#/errorport?invalidDomain=no-such.localhost`)
    await page.getByText('这个域名没有被使用').waitFor()
  })

  it('the profile: leads to the login page where nobody turns out to be signed in', async () => {
    await context.clearCookies()
    await openHolding('profile', '/devices?q=1')
    await runOut(shared.profile)
    await retry().waitFor()
    await page.unroute(shared.profile)
    await retry().click()
    await page.waitForURL(`${homeport.url}/#/login?q=1`)
  })
})

/** The limits a page's calls set themselves; `runOut` ends the wait in place of the clock, however slow the machine. */
interface HeldLimits {
  [path: string]: { ms: number; runOut(): void }
}

/** Runs in the page before anything else: a limit belongs to the call that is sent next. */
function takeOverLimits(): void {
  const limits: HeldLimits = {}
  let latest: HeldLimits[string] | undefined
  Object.assign(window, { limits })
  AbortSignal.timeout = ms => {
    const controller = new AbortController()
    const reason = new DOMException('signal timed out', 'TimeoutError')
    latest = { ms, runOut: () => controller.abort(reason) }
    return controller.signal
  }
  const send = window.fetch
  window.fetch = (input, init) => {
    const { pathname } = new URL(String(input), window.location.href)
    if (latest !== undefined) limits[pathname] = latest
    latest = undefined
    return send(input, init)
  }
}

const pathOf = (pattern: string) => pattern.replace('**', '')

/** The limit in ms of the last call to an address. */
const readLimitMs = (address: string) =>
  page.evaluate(
    path => (window as unknown as { limits: HeldLimits }).limits[path]?.ms,
    pathOf(address),
  )

/** Lets the limit of the last call to an address run out. */
const runOut = (address: string) =>
  page.evaluate(
    path => (window as unknown as { limits: HeldLimits }).limits[path]?.runOut(),
    pathOf(address),
  )
