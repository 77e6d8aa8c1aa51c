import { confirmSsoRequest, openSsoRequest, refuseSsoRequest, startSso } from '@homeport/contract'
import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  passProvider,
  startTestProvider,
  type TestProvider,
} from '../packages/server/src/sso/testing-oidc.ts'
import { startTestWechat, type TestWechat } from '../packages/server/src/sso/testing-wechat.ts'
import { type Account, openAccount, setUpAdministrator, signIn } from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { buttonIn, openSignedIn } from './support/console.ts'
import { ageSessions } from './support/phone.ts'
import { freePort, type Homeport, startHomeport } from './support/processes.ts'

// Signing in with a real OpenID Connect provider, with WeChat and with a phone, in Chromium. What a provider may get wrong, races and
// limits: `packages/server/src/sso`.

let provider: TestProvider
let wechat: TestWechat
let homeport: Homeport
let browser: Browser
let owner: Account
const profiles: BrowserContext[] = []

beforeAll(async () => {
  const port = await freePort()
  provider = await startTestProvider(`http://localhost:${port}`)
  wechat = await startTestWechat(`localhost:${port}`)
  homeport = await startHomeport([], {
    port,
    env: {
      HOMEPORT_SIGNUP: 'open',
      HOMEPORT_OIDC_ISSUER: provider.issuer,
      HOMEPORT_OIDC_CLIENT_ID: provider.client.clientId,
      HOMEPORT_OIDC_CLIENT_SECRET: provider.client.clientSecret,
      HOMEPORT_OIDC_LABEL: '公司账号',
      HOMEPORT_WECHAT_APP_ID: wechat.app.appId,
      HOMEPORT_WECHAT_SECRET: wechat.app.secret,
      HOMEPORT_WECHAT_API_URL: wechat.url,
    },
  })
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
})

// A page that is left open goes on asking and counting, and slows the next story.
afterEach(async () => {
  await Promise.all(profiles.splice(0).map(profile => profile.close()))
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  await provider?.stop()
  await wechat?.stop()
})

/** A browser of its own. */
async function openPage(viewport = viewports.desktop): Promise<Page> {
  const profile = await openProfile(browser, viewport)
  profiles.push(profile)
  profile.setDefaultTimeout(30_000)
  return profile.newPage()
}

/** What the browser asks of WeChat's page, the peer on loopback answers. A profile with a route has no cache: only where it is needed. */
const answerForWechat = (profile: BrowserContext) =>
  profile.route('https://open.weixin.qq.com/**', async route => {
    const { pathname, search } = new URL(route.request().url())
    const answer = await fetch(`${wechat.url}${pathname}${search}`, { redirect: 'manual' })
    const headers = Object.fromEntries(answer.headers)
    await route.fulfill({ status: answer.status, headers, body: await answer.text() })
  })

/** A browser of its own at the tab of other ways to sign in. */
async function openTab(query = ''): Promise<Page> {
  const page = await openPage()
  await page.goto(`${homeport.url}/#/login${query}`)
  await page.getByRole('tab', { name: '扫码与其他' }).click()
  return page
}

/** Goes to the provider and says who it is there, or no. */
async function goThrough(page: Page, name: string | null): Promise<void> {
  await page.getByRole('checkbox').check()
  await buttonIn(page, '用公司账号登录').click()
  await page.waitForURL(`${provider.issuer}/**`)
  if (name === null) return page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Go on' }).click()
}

const isIn = (page: Page) => page.getByRole('button', { name: '账号菜单' }).waitFor()
const sessionOf = async (page: Page) =>
  (await page.context().cookies(homeport.url)).find(({ name }) => name === 'hp_session')?.value
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

describe('an OpenID Connect provider', () => {
  let member: Page
  let memberProfile: BrowserContext
  afterAll(() => memberProfile.close())

  it('signs somebody in who was never here, and the page leads home', async () => {
    member = await openTab()
    memberProfile = profiles.pop() as BrowserContext
    await member.getByRole('img', { name: '登录二维码' }).waitFor()
    await keepScreenshots(member, '90-sign-on')
    await goThrough(member, 'xiaoming')
    await isIn(member)
    expect(new URL(member.url()).hash).toBe('#/devices')
  })

  it('wants the terms accepted first', async () => {
    const page = await openTab()
    await buttonIn(page, '用公司账号登录').click()
    await page.getByText('请先阅读并勾选服务条款').waitFor()
    expect(new URL(page.url()).origin).toBe(homeport.url)
  })

  it('is listed in the account, and is not taken away as the only way in', async () => {
    await member.goto(`${homeport.url}/#/user/info`)
    const panel = member.locator('.ant-card', { hasText: '第三方登录' })
    await panel.getByText('公司账号 · xiaoming').waitFor()
    await panel.getByText('最近登录').waitFor()
    await panel.scrollIntoViewIfNeeded()
    await keepScreenshots(member, '91-identities')
    await buttonIn(panel, '解除绑定：公司账号 · xiaoming').click()
    const dialog = member.getByRole('dialog')
    await buttonIn(dialog, '解除绑定').click()
    await dialog.getByText('这是登录此账号的唯一方式').waitFor()
    await buttonIn(dialog, '取消').click()
  })

  it('used up: its answer signs no other browser in, and leads the own one on', async () => {
    const page = await openTab()
    const answers: string[] = []
    page.on('framenavigated', frame => answers.push(frame.url()))
    await goThrough(page, 'xiaoming')
    await isIn(page)
    const answer = answers.find(url => url.includes('#/check?')) ?? ''
    expect(answer).toMatch(/code=.+&state=/)
    await page.goto('about:blank')
    await page.goto(answer)
    await isIn(page)

    const other = await openTab()
    await other.goto('about:blank')
    await other.goto(answer)
    await heading(other, '登录没有完成')
    await keepScreenshots(other, '92-check-failed')
    expect(await sessionOf(other)).toBe(undefined)
    await buttonIn(other, '返回登录').click()
    await heading(other, '登录归港')
  })

  it('a state from another browser signs nobody in (login CSRF)', async () => {
    // The attacker signs in at the provider, and sends the victim where the own browser should have gone.
    const attacker = await openAccount(homeport.url)
    const begun = await attacker.client.call(startSso, { body: { provider: 'oidc' } })
    const stolen = (await passProvider(begun.login_url, 'attacker')).href
    expect(stolen).toMatch(/code=.+/)
    const victim = await openTab()
    await victim.goto(stolen)
    await heading(victim, '登录没有完成')
    expect(await sessionOf(victim)).toBe(undefined)
    // And where somebody is signed in, they stay who they are.
    const before = await sessionOf(member)
    await member.goto(stolen)
    await isIn(member)
    expect(await sessionOf(member)).toBe(before)
  })

  it('that says no is told, with a way back', async () => {
    const page = await openTab()
    await goThrough(page, null)
    await heading(page, '已取消登录')
    await keepScreenshots(page, '93-check-cancelled')
    await page.getByRole('link', { name: '返回登录' }).click()
    await heading(page, '登录归港')
  })

  it('that brings a wrong code is refused', async () => {
    const page = await openTab()
    let state: string | null = null
    page.on('request', request => {
      const url = new URL(request.url())
      if (url.origin === provider.issuer) state ??= url.searchParams.get('state')
    })
    await page.getByRole('checkbox').check()
    await buttonIn(page, '用公司账号登录').click()
    await page.getByLabel('Name').waitFor()
    expect(state).not.toBe(null)
    await page.goto(`${homeport.url}/#/check?code=made-up&state=${state}`)
    await page.getByText('登录服务没有确认您的身份').waitFor()
    expect(await sessionOf(page)).toBe(undefined)
  })

  it('that does not work is told on /check, and in the log', async () => {
    const page = await openTab()
    provider.break(true)
    await goThrough(page, 'xiaoming')
    await page.getByText('登录服务暂时无法连接').waitFor()
    provider.break(false)
    expect(await sessionOf(page)).toBe(undefined)
    await homeport.waitFor(/the OpenID Connect provider failed/)
  })

  it.each([
    ['https://good@evil.example/', '#/devices'],
    ['//evil.example', '#/devices'],
    ['javascript:alert(1)', '#/devices'],
  ])('never leads to %s', async (url, end) => {
    const page = await openTab(`?url=${encodeURIComponent(url)}`)
    const foreign: string[] = []
    page.on('request', request => {
      if (/evil/.test(new URL(request.url()).host)) foreign.push(request.url())
    })
    await goThrough(page, 'xiaoming')
    await isIn(page)
    expect(new URL(page.url()).hash).toBe(end)
    expect(foreign).toEqual([])
  })

  it('leads on to the name that was asked for, as the guard of /login says', async () => {
    const url = `http://nosuch.localhost:${homeport.port}/a`
    const page = await openTab(`?url=${encodeURIComponent(url)}`)
    await goThrough(page, 'xiaoming')
    await page.waitForURL(`${homeport.url}/#/errorport?invalidDomain=nosuch.localhost`)
  })
})

describe('WeChat', () => {
  const person = { openid: 'o-1', nickname: '小明' }

  /** Says at WeChat's page who scanned its code, and yes or no. */
  async function scanThere(page: Page, who: typeof person | null): Promise<void> {
    await page.getByLabel('微信号').fill(who?.openid ?? '')
    await page.getByLabel('昵称').fill(who?.nickname ?? '')
    await page.getByRole('button', { name: who === null ? '拒绝' : '同意' }).click()
  }

  /** Goes to WeChat's page and gives its address. */
  async function goToWechat(page: Page): Promise<URL> {
    await answerForWechat(page.context())
    await page.getByRole('checkbox').check()
    await buttonIn(page, '用微信登录').click()
    await page.waitForURL('https://open.weixin.qq.com/**')
    return new URL(page.url())
  }

  it('is linked by whoever is signed in, and signs them in from then on', async () => {
    const linked = { openid: 'o-2', nickname: '管理员' }
    const profile = await openSignedIn(browser, homeport, owner)
    profiles.push(profile)
    await answerForWechat(profile)
    const page = await profile.newPage()
    await page.goto(`${homeport.url}/#/user/info`)
    await buttonIn(page, '绑定微信').click()
    await scanThere(page, linked)
    await page.getByText('微信 · 管理员').waitFor()

    const other = await openTab()
    await goToWechat(other)
    await scanThere(other, linked)
    await isIn(other)
    await other.getByRole('button', { name: '账号菜单' }).click()
    await other.getByText('guanli', { exact: true }).first().waitFor()

    await buttonIn(page, '解除绑定：微信 · 管理员').click()
    await buttonIn(page.getByRole('dialog'), '解除绑定').click()
    await page.getByText('还没有绑定第三方账号').waitFor()
  })

  it('signs somebody in who was never here; a used code, a no, or no answer signs nobody in', async () => {
    const page = await openTab()
    const codes: (string | null)[] = []
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === '/custom/sso/callback') codes.push(searchParams.get('code'))
    })
    expect((await goToWechat(page)).hash).toBe('#wechat_redirect')
    wechat.failNext(-1)
    await scanThere(page, person)
    await page.getByText('登录服务暂时无法连接').waitFor()
    await homeport.waitFor(/WeChat failed/)

    await buttonIn(page, '返回登录').click()
    await page.getByRole('tab', { name: '扫码与其他' }).click()
    await goToWechat(page)
    await scanThere(page, person)
    await isIn(page)
    expect(new URL(page.url()).hash).toBe('#/devices')
    expect(codes).toHaveLength(2)

    const other = await openTab()
    const { searchParams } = await goToWechat(other)
    const stolen = new URLSearchParams({ code: codes[1] ?? '' })
    stolen.set('state', searchParams.get('state') ?? '')
    await other.goto(`${homeport.url}/custom/sso/callback?${stolen}`)
    await other.getByText('登录服务没有确认您的身份').waitFor()
    await buttonIn(other, '返回登录').click()
    await other.getByRole('tab', { name: '扫码与其他' }).click()
    await goToWechat(other)
    await scanThere(other, null)
    await heading(other, '已取消登录')
    expect(await sessionOf(other)).toBe(undefined)
  })
})

describe('the second factor', () => {
  it('is asked for on /check and cannot be skipped', async () => {
    const page = await openTab()
    await goThrough(page, 'anquan')
    await isIn(page)
    await page.goto(`${homeport.url}/#/user/info`)
    await buttonIn(page, '开启两步验证').click()
    const dialog = page.getByRole('dialog', { name: '开启两步验证' })
    const typed = (await dialog.locator('code').textContent()) ?? ''
    const app = createAuthenticatorApp(typed.replaceAll(' ', ''))
    await dialog.getByLabel('动态码（6 位数字）').fill(app.next())
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '保存恢复码' }).waitFor()

    const again = await openTab()
    await goThrough(again, 'anquan')
    const field = again.getByLabel('动态码或恢复码')
    await field.waitFor()
    await keepScreenshots(again, '94-check-second-step')
    // Gone to the authenticator and back: what was typed stays.
    await field.fill('12')
    await again.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    expect(await field.inputValue()).toBe('12')
    // Another page, or the same one again, leads around nothing.
    await again.reload()
    await field.waitFor()
    const stranger = await again.context().newPage()
    await stranger.goto(`${homeport.url}/#/devices`)
    await heading(stranger, '登录归港')
    await stranger.close()
    expect(await sessionOf(again)).toBe(undefined)

    const code = app.next()
    await field.fill(code === '000000' ? '000001' : '000000')
    await field.press('Enter')
    await again.getByText('验证码不正确或已使用').waitFor()
    await field.fill(code)
    await field.press('Enter')
    await isIn(again)
  })
})

describe('a phone', () => {
  /** What the QR code of a page says, from the answer it was drawn from. */
  async function openCode() {
    const page = await openPage()
    const polls: Request[] = []
    page.on('request', request => {
      if (request.url().includes('/sso/events?')) polls.push(request)
    })
    await page.goto(`${homeport.url}/#/login`)
    const started = page.waitForResponse(response => response.url().endsWith(startSso.path))
    await page.getByRole('tab', { name: '扫码与其他' }).click()
    const begun = await (await started).json()
    await page.getByRole('img', { name: '登录二维码' }).waitFor()
    return { page, begun, polls }
  }

  /** Opens the address of a code as a phone does, and gives the request that it is asked to confirm. */
  async function scan(address: string): Promise<string> {
    const response = await fetch(address, { redirect: 'manual' })
    const target = new URL(response.headers.get('location') ?? '', address)
    return new URLSearchParams(target.hash.split('?')[1]).get('request') ?? ''
  }

  it('that scans and confirms signs the browser in', async () => {
    const { page, begun, polls } = await openCode()
    await expect.poll(() => polls.length).toBeGreaterThan(0)
    const query = new URL(polls[0]?.url() ?? '').searchParams
    expect(query.get('timeout')).toBe('30')
    expect(query.get('category')).toBe(`weixin-oauth-${begun.id}`)
    expect(Math.abs(Number(query.get('since_time')) - Date.now())).toBeLessThan(60_000)

    const request = await scan(begun.login_url)
    const { number } = await owner.client.call(openSsoRequest, { body: { request } })
    await page.getByText('已扫码，请在手机上确认').waitFor()
    await page.getByText(`手机上显示的也是 ${number}`).waitFor()
    await keepScreenshots(page, '95-scanned')
    await owner.client.call(confirmSsoRequest, { body: { request } })
    await isIn(page)
  })

  it('that is signed out signs in elsewhere on its way, and is asked then', async () => {
    const { page: desktop, begun } = await openCode()
    const page = await openPage(viewports.phone)
    await page.goto(begun.login_url)
    await page.getByRole('tab', { name: '扫码与其他' }).click()
    await goThrough(page, 'xiaoming')
    await heading(page, '确认登录')
    await page.getByText('以“xiaoming”的身份登录').waitFor()
    const shown = (await desktop.getByText(/手机上显示的也是/).textContent()) ?? ''
    await page.getByText(/\d{4}/.exec(shown)?.[0] ?? 'no number', { exact: true }).waitFor()
    await buttonIn(page, '确认登录').click()
    await isIn(desktop)
  })

  it('that says no is told, and another code can be asked for', async () => {
    const { page, begun } = await openCode()
    const request = await scan(begun.login_url)
    await owner.client.call(openSsoRequest, { body: { request } })
    await owner.client.call(refuseSsoRequest, { body: { request } })
    await page.getByText('已在手机上拒绝这次登录').waitFor()
    await keepScreenshots(page, '96-denied')
    const restarted = page.waitForResponse(response => response.url().endsWith(startSso.path))
    await buttonIn(page, '刷新二维码').click()
    expect((await (await restarted).json()).id).not.toBe(begun.id)
    await page.getByText('用手机扫码登录').waitFor()
    expect(await sessionOf(page)).toBe(undefined)
  })

  it('that comes too late finds an expired code', async () => {
    const profile = await openProfile(browser)
    profiles.push(profile)
    const page = await profile.newPage()
    await page.clock.install()
    await page.goto(`${homeport.url}/#/login`)
    await page.getByRole('tab', { name: '扫码与其他' }).click()
    await page.getByText('用手机扫码登录').waitFor()
    await page.clock.fastForward(10 * 60_000)
    await page.getByText('二维码已过期').waitFor()
    await keepScreenshots(page, '97-expired')
    await buttonIn(page, '刷新二维码').click()
    await page.getByText('用手机扫码登录').waitFor()
  })
})

describe('signing out', () => {
  it.each(['answers', 'fails'])(
    'calls the provider, and 1000 ms later /custom/logout; it %s',
    async how => {
      const profile = await openSignedIn(browser, homeport, await signIn(homeport))
      profiles.push(profile)
      const page = await profile.newPage()
      const asked: string[] = []
      if (how === 'fails') await page.route('**/sso/logout?*', route => route.abort())
      page.on('request', request => {
        const { pathname, search } = new URL(request.url())
        if (pathname.endsWith('/logout')) asked.push(pathname + search)
      })
      await page.clock.install()
      await page.goto(`${homeport.url}/#/user/info`)
      await page.getByRole('button', { name: '账号菜单' }).click()
      const item = page.getByRole('menuitem', { name: '退出登录' })
      await item.waitFor()
      // From here on time stands still but for what the test lets pass.
      await page.clock.pauseAt(Date.now() + 60 * 60_000)
      await item.evaluate(element => (element as unknown as { click(): void }).click())
      await expect.poll(() => asked).toHaveLength(1)
      expect(asked[0]).toMatch(/^\/sso\/logout\?callback=[A-Za-z_$][\w$]{0,63}$/)
      await page.clock.runFor(999)
      expect(asked).toHaveLength(1)
      await page.clock.runFor(1)
      await expect.poll(() => asked[1]).toBe('/custom/logout')
      await page.clock.resume()
      await heading(page, '登录归港')
      expect(await sessionOf(page)).toBe(undefined)
    },
  )
})

describe('somebody who is signed in', () => {
  /** The administrator's page of the own account, and its panel of other services. */
  async function openAccountPage() {
    const profile = await openSignedIn(browser, homeport, owner)
    profiles.push(profile)
    const page = await profile.newPage()
    await page.goto(`${homeport.url}/#/user/info`)
    return { page, panel: page.locator('.ant-card', { hasText: '第三方登录' }) }
  }

  async function link(page: Page, name: string): Promise<void> {
    await buttonIn(page, '绑定公司账号').click()
    await page.getByLabel('Name').fill(name)
    await page.getByRole('button', { name: 'Go on' }).click()
  }

  it('links an identity, signs in by it from then on, and takes it away', async () => {
    const { page, panel } = await openAccountPage()
    await link(page, 'guanli-id')
    await panel.getByText('公司账号 · guanli-id').waitFor()

    const other = await openTab()
    await goThrough(other, 'guanli-id')
    await isIn(other)
    await other.getByRole('button', { name: '账号菜单' }).click()
    await other.getByText('guanli', { exact: true }).first().waitFor()

    await buttonIn(panel, '解除绑定：公司账号 · guanli-id').click()
    await buttonIn(page.getByRole('dialog'), '解除绑定').click()
    await panel.getByText('还没有绑定第三方账号').waitFor()
  })

  it('is told plainly that an identity belongs to another account', async () => {
    const neighbour = await openTab()
    await goThrough(neighbour, 'linju-id')
    await isIn(neighbour)
    const { page, panel } = await openAccountPage()
    await link(page, 'linju-id')
    await page.getByText('这个第三方账号已经绑定了另一个归港账号').waitFor()
    await buttonIn(page, '返回个人信息').click()
    await panel.getByText('还没有绑定第三方账号').waitFor()
  })

  it('proves anew at the provider who they are, where there is no password', async () => {
    const page = await openTab()
    await goThrough(page, 'chongxin')
    await isIn(page)
    ageSessions(homeport)
    const session = await sessionOf(page)
    await page.goto(`${homeport.url}/#/user/info`)
    await buttonIn(page, '开启两步验证').click()
    const dialog = page.getByRole('dialog', { name: '确认是您本人' })
    await buttonIn(dialog, '用公司账号确认').waitFor()
    await keepScreenshots(page, '98-reauthenticate-identity')
    await buttonIn(dialog, '用公司账号确认').click()
    // Signed in there, and asked all the same.
    await page.getByLabel('Name').fill('chongxin')
    await page.getByRole('button', { name: 'Go on' }).click()
    await heading(page, '已确认是您本人')
    await keepScreenshots(page, '99-reauthenticated')
    await page.getByRole('link', { name: '返回个人信息' }).click()
    await buttonIn(page, '开启两步验证').click()
    await page.getByRole('dialog', { name: '开启两步验证' }).waitFor()
    expect(await sessionOf(page)).toBe(session)
  })
})
