import { type SsoBegun, startSso } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, setUpAdministrator } from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { addUser, buttonIn, noMisdeeds, openSignedIn, openWatched } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { readQr } from './support/read-qr.ts'

// A desktop that is signed out and a phone that is signed in, two browser profiles, and our own provider between them.

let homeport: Homeport
let browser: Browser
let owner: Account
let neighbour: Account
let phone: BrowserContext
let desktop: BrowserContext
let desk: Page

beforeAll(async () => {
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
  neighbour = await addUser(homeport, owner, { username: 'linju', password: 'a long password' })
  phone = await openSignedIn(browser, homeport, owner, viewports.phone)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

beforeEach(async () => {
  desktop = await openProfile(browser)
  desktop.setDefaultTimeout(30_000)
  desk = await desktop.newPage()
})

afterEach(() => desktop.close())

/** Begins a sign-on as the sign-in page does. */
async function begin(page = desk): Promise<SsoBegun> {
  await page.goto(`${homeport.url}/#/login`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return page.evaluate(
    async ([path, body]) => {
      const [, csrf = ''] = /csrftoken=([^;]*)/.exec(document.cookie) ?? []
      const headers = { 'Content-Type': 'application/json', 'X-CSRFToken': csrf }
      const answer = await fetch(path ?? '', { method: 'POST', headers, body: body ?? null })
      return answer.json()
    },
    [startSso.path, JSON.stringify({ provider: 'homeport' })],
  )
}

/** Shows the provider's own page on the desktop; gives what its QR code says. */
async function showCode(): Promise<{ address: string; number: string; begun: SsoBegun }> {
  const begun = await begin()
  await desk.goto(begun.login_url)
  const number = (await desk.locator('.number').textContent()) ?? ''
  return { address: await readQr(desk, 'svg.code'), number, begun }
}

async function openOnPhone(address: string, context = phone): Promise<Page> {
  const page = await context.newPage()
  await page.goto(address)
  return page
}

const isIn = (page: Page) => page.getByRole('button', { name: '账号菜单' }).waitFor()
const isOut = (page: Page) => page.locator('input[name=password]').waitFor()
const sessionsOf = async (context: BrowserContext) =>
  (await context.cookies(homeport.url)).filter(({ name }) => name === 'hp_session').length

describe('a phone signs the desktop in', () => {
  it('scans, compares, confirms, and the desktop goes on by itself', async () => {
    const { address, number } = await showCode()
    expect(address).toMatch(
      new RegExp(`^${homeport.url}/#/sso/confirm\\?request=[A-Za-z0-9_-]{22}$`),
    )
    expect(number).toMatch(/^\d{4}$/)
    await keepScreenshots(desk, '95-sso-desktop')

    const { page, take } = await openWatched(phone, homeport.url)
    await page.goto(address)
    await page.getByText(number, { exact: true }).waitFor()
    expect(await page.title()).toBe('归港 - 确认登录')
    for (const text of ['Chrome · Linux', '与您现在在同一网络', '以“guanli”的身份登录']) {
      await page.getByText(text).waitFor()
    }
    await desk.getByText('已扫描，请在手机上核对数字并确认。').waitFor()
    await keepScreenshots(page, '96-sso-confirm')
    await buttonIn(page, '确认登录').click()
    await page.getByRole('heading', { name: '已确认' }).waitFor()
    await keepScreenshots(page, '97-sso-confirmed')
    expect(await take()).toEqual(noMisdeeds)

    await isIn(desk)
    expect(await sessionsOf(desktop)).toBe(1)
    expect(new URL(desk.url()).hash).toBe('#/devices')
    await page.close()
  })

  it('scans the code of the sign-in page too, and compares the number that comes up there', async () => {
    await desk.goto(`${homeport.url}/#/login?url=${encodeURIComponent('http://evil.example/')}`)
    await desk.getByRole('tab', { name: '扫码登录' }).click()
    await desk.getByRole('img', { name: '登录二维码' }).waitFor()
    const address = await readQr(desk, 'canvas[role=img]')
    expect(address).toMatch(new RegExp(`^${homeport.url}/sso/login\\?state=[0-9a-f]{48}&`))
    const page = await openOnPhone(address)
    await page.waitForURL(/#\/sso\/confirm\?request=[A-Za-z0-9_-]{22}$/)
    const shown = desk.getByText(/手机上显示的也是/)
    await shown.waitFor()
    const [number = ''] = /\d{4}/.exec((await shown.textContent()) ?? '') ?? []
    await page.getByText(number, { exact: true }).waitFor()
    await buttonIn(page, '确认登录').click()
    await isIn(desk)
    // An address that is none of ours is forgotten on the way.
    expect(new URL(desk.url()).origin).toBe(homeport.url)
    await page.close()
  })

  it('works without the scripts of the console, and without any', async () => {
    const { begun } = await showCode()
    // The page with scripts would trade the code in first.
    await desk.goto('about:blank')
    const withoutScripts = await browser.newContext({
      javaScriptEnabled: false,
      locale: 'zh-CN',
      storageState: await desktop.storageState(),
    })
    const plain = await withoutScripts.newPage()
    await plain.goto(begun.login_url)
    // What a camera reads of this page: the drawing is the same without a script.
    const address = (await plain.locator('details code').textContent()) ?? ''
    const page = await openOnPhone(address)
    await buttonIn(page, '确认登录').click()
    await page.getByText('已确认', { exact: true }).waitFor()
    await plain.getByRole('link', { name: '我已在手机上确认' }).click()
    await plain.waitForURL(/#\/check\?code=/)
    await withoutScripts.close()
    await page.close()
  })

  it('is refused on the phone, and the desktop says so', async () => {
    const { address } = await showCode()
    const page = await openOnPhone(address)
    await buttonIn(page, '拒绝').click()
    await page.getByText('已拒绝', { exact: true }).waitFor()
    await keepScreenshots(page, '98-sso-refused')
    await desk.getByText('手机上拒绝了这次登录。').waitFor()
    expect(await sessionsOf(desktop)).toBe(0)
    await desk.getByRole('link', { name: '重新登录' }).click()
    await isOut(desk)
    await page.close()
  })

  it('leads a phone that is signed out over the sign-in back to the question', async () => {
    const { address, number } = await showCode()
    const signedOut = await openProfile(browser, viewports.phone)
    signedOut.setDefaultTimeout(30_000)
    const page = await openOnPhone(address, signedOut)
    await isOut(page)
    await page.getByLabel('用户名或邮箱').fill('linju')
    await page.locator('input[name=password]').fill('a long password')
    await page.getByRole('checkbox').check()
    await page.keyboard.press('Enter')
    await page.getByText(number, { exact: true }).waitFor()
    await page.getByText('以“linju”的身份登录').waitFor()
    await signedOut.close()
  })

  it('is confirmed by the keyboard, at 360 px without scrolling sideways', async () => {
    const { address } = await showCode()
    const page = await openOnPhone(address)
    const confirm = buttonIn(page, '确认登录')
    await confirm.waitFor()
    const width = await page.evaluate(() => document.documentElement.scrollWidth)
    expect(width).toBeLessThanOrEqual(viewports.phone.width)
    await buttonIn(page, '拒绝').focus()
    await page.keyboard.press('Tab')
    expect(await confirm.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await isIn(desk)
    await page.close()
  })
})

describe('what must not work', () => {
  it('a code on the screen works once: opened again it says so', async () => {
    const { address } = await showCode()
    const page = await openOnPhone(address)
    await buttonIn(page, '确认登录').click()
    await isIn(desk)
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByText('请求已失效').waitFor()
    await keepScreenshots(page, '99-sso-gone')
    await page.close()
  })

  it('a request that has expired on the screen of the phone cannot be confirmed there', async () => {
    const { address } = await showCode()
    // The clock of a page is the one of its whole profile.
    const own = await openSignedIn(browser, homeport, owner, viewports.phone)
    const page = await own.newPage()
    await page.clock.install()
    await page.goto(address)
    const confirm = buttonIn(page, '确认登录')
    await confirm.waitFor()
    expect(await confirm.isEnabled()).toBe(true)
    await page.clock.fastForward('05:01')
    await page.getByText('请求已失效').waitFor()
    expect(await confirm.isEnabled()).toBe(false)
    await own.close()
  })

  it('a phone whose clock is an hour fast can still confirm', async () => {
    const { address } = await showCode()
    const own = await openSignedIn(browser, homeport, owner, viewports.phone)
    const page = await own.newPage()
    await page.clock.install({ time: Date.now() + 3_600_000 })
    await page.goto(address)
    await buttonIn(page, '确认登录').click()
    await page.getByText('已确认', { exact: true }).waitFor()
    await isIn(desk)
    await own.close()
  })

  it('pressed twice, on two open pages, counts once', async () => {
    const { address } = await showCode()
    const [first, second] = [await openOnPhone(address), await openOnPhone(address)]
    await buttonIn(second, '确认登录').waitFor()
    await buttonIn(first, '确认登录').dblclick()
    await first.getByText('已确认', { exact: true }).waitFor()
    await buttonIn(second, '确认登录').click()
    await second.getByText('请求已失效').waitFor()
    await isIn(desk)
    expect(await sessionsOf(desktop)).toBe(1)
    await first.close()
    await second.close()
  })

  it('another account cannot answer what the first one opened', async () => {
    const { address } = await showCode()
    const page = await openOnPhone(address)
    await buttonIn(page, '确认登录').waitFor()
    const other = await openSignedIn(browser, homeport, neighbour, viewports.phone)
    const late = await openOnPhone(address, other)
    await late.getByText('请求已失效').waitFor()
    await other.close()
    await page.close()
  })

  it('another browser that knows the address hears nothing of it, and the code is not its own', async () => {
    const { address, begun } = await showCode()
    const thief = await openProfile(browser)
    const spy = await thief.newPage()
    await spy.goto(`${homeport.url}/#/login`)
    const page = await openOnPhone(address)
    await buttonIn(page, '确认登录').waitFor()
    const category = `weixin-oauth-${begun.id}`
    const ask = (at: Page, timeout: number) =>
      at.evaluate(
        async ([name, seconds]) => {
          const query = `timeout=${seconds}&category=${name}&since_time=0`
          return (await fetch(`/sso/events?${query}`)).json()
        },
        [category, timeout] as const,
      )
    expect(await ask(spy, 1)).toEqual({ timeout: 1, timestamp: expect.any(Number) })
    // The page of the desktop itself would take the code before it can be stolen.
    await desk.goto('about:blank')
    await buttonIn(page, '确认登录').click()
    await page.getByText('已确认', { exact: true }).waitFor()
    // Nor does it go anywhere but where the sign-on began: the whole list is in the long run.
    const own = new URL(begun.login_url)
    for (const elsewhere of ['//evil', 'http://evil.localhost', `${homeport.url}@evil.localhost`]) {
      own.searchParams.set('redirect_uri', `${elsewhere}/custom/sso/callback`)
      const refused = await desk.goto(own.href)
      expect([refused?.status(), desk.url()]).toEqual([404, own.href])
    }
    await desk.goto(`${homeport.url}/#/login`)
    const { events } = await ask(desk, 5)
    const { code } = events.at(-1).data
    await spy.goto(`${homeport.url}/custom/sso/callback?code=${code}&state=${begun.state}`)
    await spy.waitForURL(/#\/check/)
    await spy.getByText('不是在这个浏览器里开始的').waitFor()
    expect(await sessionsOf(thief)).toBe(0)
    await thief.close()
    await page.close()
  })

  it('a desktop that was closed meanwhile is not signed in, and the phone is none the wiser', async () => {
    const { address } = await showCode()
    const page = await openOnPhone(address)
    await buttonIn(page, '确认登录').waitFor()
    await desktop.close()
    await buttonIn(page, '确认登录').click()
    await page.getByText('已确认', { exact: true }).waitFor()
    await page.close()
  })

  it.each([
    ['', '链接不完整'],
    ['?request=', '链接不完整'],
    ['?request=short', '链接不完整'],
    [`?request=${'A'.repeat(22)}`, '请求已失效'],
  ])('the page with %s says what is wrong', async (query, words) => {
    const page = await openOnPhone(`${homeport.url}/#/sso/confirm${query}`)
    await page.getByText(words).waitFor()
    await page.close()
  })

  it.each(['/sso', '/sso/', '/sso/other', '/sso/confirm/more'])(
    '%s is no page and leads home',
    async path => {
      const page = await openOnPhone(`${homeport.url}/#${path}`)
      await page.waitForURL(`${homeport.url}/#/devices`)
      await page.close()
    },
  )

  it('an account with two-step codes is asked for one on the desktop', async () => {
    const user = await addUser(homeport, owner, { username: 'anquan', password: 'a long password' })
    const own = await openSignedIn(browser, homeport, user, viewports.phone)
    const settings = await openOnPhone(`${homeport.url}/#/user/info`, own)
    await buttonIn(settings, '开启两步验证').click()
    const dialog = settings.getByRole('dialog', { name: '开启两步验证' })
    const secret = ((await dialog.locator('code').textContent()) ?? '').replaceAll(' ', '')
    const app = createAuthenticatorApp(secret)
    await dialog.getByLabel('动态码（6 位数字）').fill(app.next())
    await settings.keyboard.press('Enter')
    await settings.getByRole('dialog', { name: '保存恢复码' }).waitFor()

    const { address } = await showCode()
    const page = await openOnPhone(address, own)
    await buttonIn(page, '确认登录').click()
    await page.getByText('已确认', { exact: true }).waitFor()
    await desk.waitForURL(/#\/check/)
    await desk.getByRole('heading', { name: '两步验证' }).waitFor()
    expect(await sessionsOf(desktop)).toBe(0)
    await own.close()
  })
})
