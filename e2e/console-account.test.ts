import {
  createAnnouncement,
  getLoginStatus,
  getProfile,
  listAnnouncements,
  listInvites,
} from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, administrator, setUpAdministrator, signIn } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser } from './support/browser.ts'
import { addUser, buttonIn, noMisdeeds, openSignedIn, openWatched } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Signing in and out, the own account and the pages of staff. Wrong passwords come last: this address is asked for a captcha then.

let homeport: Homeport
let browser: Browser
let staff: Account
let reader: Account
let context: BrowserContext
let page: Page
const user = { username: 'duzhe', password: 'a long password' }

beforeAll(async () => {
  homeport = await startHomeport()
  browser = await startBrowser()
  staff = await setUpAdministrator(homeport)
  reader = await addUser(homeport, staff, user)
  context = await openSignedIn(browser, homeport, reader)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

const field = (name: string) => page.getByLabel(name, { exact: true })
const button = (words: string) => buttonIn(page, words)
const isSignedIn = async (account: Account) =>
  (await account.client.call(getLoginStatus, {})).logged_in
const profileOf = async (account: Account) => (await account.client.call(getProfile, {}))[0]

describe('the own account', () => {
  it('changes its name everywhere, and tells a taken one at its field', async () => {
    await page.goto(`${homeport.url}/#/user/info`)
    await field('用户名').fill(administrator.username)
    await button('保存').click()
    await page.getByText('这个用户名已被使用').waitFor()
    await keepScreenshots(page, '53-username-taken')
    await field('用户名').fill('duzhe2')
    await button('保存').click()
    await page.getByText('已保存').waitFor()
    await page.getByRole('button', { name: '账号菜单' }).getByText('duzhe2').waitFor()
    expect((await profileOf(reader))?.username).toBe('duzhe2')
    user.username = 'duzhe2'
    await keepScreenshots(page, '54-account')
  })

  it('lists its sessions and ends one of them', async () => {
    const other = await signIn(homeport, user)
    await page.reload()
    await page.getByText('当前', { exact: true }).waitFor()
    const rows = page.getByRole('listitem').filter({ hasText: '最近使用' })
    await expect.poll(() => rows.count()).toBe(2)
    expect(await rows.first().textContent()).toContain('当前')
    await rows.last().getByRole('button', { name: /^退出/ }).click()
    const question = page.getByRole('dialog', { name: /^退出“.*”的登录？$/ })
    await question.waitFor()
    await keepScreenshots(page, '55-session-revoke')
    expect(await isSignedIn(other)).toBe(true)
    await buttonIn(question, '退出').click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(reader)).toBe(true)
  })

  it('changes its password, which ends every other session', async () => {
    const other = await signIn(homeport, user)
    const elsewhere = await openSignedIn(browser, homeport, other)
    const tab = await elsewhere.newPage()
    await tab.goto(`${homeport.url}/#/statistics`)
    await tab.getByText('尚未开放').waitFor()
    await field('当前密码').fill(user.password)
    await field('新密码').fill(user.password)
    await field('再次填写新密码').fill('another')
    await button('修改密码').click()
    await page.getByText('新密码要与当前密码不同').waitFor()
    await page.getByText('两次填写的不一样').waitFor()
    await field('新密码').fill('an even longer password')
    await field('再次填写新密码').fill('an even longer password')
    await button('修改密码').click()
    await page.getByText('密码已修改，其他登录已全部退出').waitFor()
    await keepScreenshots(page, '56-password-changed')
    expect(await isSignedIn(other)).toBe(false)
    user.password = 'an even longer password'
    expect(await isSignedIn(await signIn(homeport, user))).toBe(true)
    await tab.getByRole('link', { name: '我的设备', exact: true }).click()
    await tab.waitForURL(/#\/login/)
    await elsewhere.close()
    await page.reload()
    await field('用户名').waitFor()
  })

  it('shows, copies and hides its token', async () => {
    const whole = (await profileOf(await signIn(homeport, user)))?.token ?? ''
    expect(await page.getByText(whole).count()).toBe(0)
    await button('显示令牌').click()
    await page.getByText(whole).waitFor()
    await button('隐藏令牌').click()
    await page.getByText(whole).waitFor({ state: 'detached' })
    await button('复制令牌').last().click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole)
  })

  it('replaces its token after proving the password once more', async () => {
    const before = (await profileOf(await signIn(homeport, user)))?.token ?? ''
    // The server would ask ten minutes after the sign-in; here it is made to ask at once.
    await page.route(
      '**/api/user/token-reset/',
      route =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          json: {
            type: 'about:blank',
            title: '',
            status: 403,
            code: 'recent_sign_in_required',
            detail: '',
            request_id: 'made-up',
          },
        }),
      { times: 1 },
    )
    await button('重置令牌').click()
    const question = page.getByRole('dialog', { name: '重置令牌？' })
    await buttonIn(question, '重置令牌').click()
    const proof = page.getByRole('dialog', { name: '确认是您本人' })
    await proof.getByLabel('登录密码').fill('wrong password')
    await buttonIn(proof, '确定').click()
    await proof.getByText('密码不正确').waitFor()
    await keepScreenshots(page, '57-reauthenticate')
    await proof.getByLabel('登录密码').fill(user.password)
    await buttonIn(proof, '确定').click()
    await page.getByText('令牌已重置').waitFor()
    const after = (await profileOf(await signIn(homeport, user)))?.token ?? ''
    expect(after).not.toBe(before)
    await button('显示令牌').click()
    await page.getByText(after).waitFor()
  })
})

describe('staff', () => {
  let desk: Page
  beforeAll(async () => {
    const place = await openSignedIn(browser, homeport, staff)
    desk = await place.newPage()
  })

  it('publish an announcement that readers are told of at once, and take it back', async () => {
    await desk.goto(`${homeport.url}/#/staff/announcements`)
    await buttonIn(desk, '发布公告').first().click()
    const dialog = desk.getByRole('dialog', { name: '发布公告' })
    await dialog.getByLabel('标题').fill('停机维护')
    await dialog.getByLabel('内容').fill('周六 02:00 到 03:00')
    await dialog.getByLabel('链接').fill('javascript:alert(1)')
    await buttonIn(dialog, '发布').click()
    await dialog.getByText('请填写以 http:// 或 https:// 开头的地址').waitFor()
    await keepScreenshots(desk, '58-announcement-new')
    await dialog.getByLabel('链接').fill('https://status.example/')
    await buttonIn(dialog, '发布').click()
    await dialog.waitFor({ state: 'detached' })
    await desk.getByText('https://status.example/').waitFor()
    await page.getByRole('button', { name: '查看公告（有未读）' }).waitFor()
    await staff.client.call(createAnnouncement, {
      body: { title: '草稿', detail: '还没写完', display: false },
    })
    await desk.reload()
    await desk.getByText('不显示').waitFor()
    await keepScreenshots(desk, '59-staff-announcements')
    const close = buttonIn(desk, '知道了')
    await close.click()
    await close.waitFor({ state: 'detached' })
    await buttonIn(desk, '删除公告：停机维护').click()
    await desk.getByText('删除后无法恢复。').waitFor()
    await buttonIn(desk, '删除').click()
    await desk.getByText('停机维护').waitFor({ state: 'detached' })
    const left = await staff.client.call(listAnnouncements, {})
    expect(left.map(({ title }) => title)).toEqual(['草稿'])
  })

  it('make an invitation that is shown once, and take it back', async () => {
    await desk.getByRole('tab', { name: '邀请链接' }).click()
    await desk.waitForURL(/staff\/invites$/)
    await desk.getByText('duzhe2 于').waitFor()
    await buttonIn(desk, '创建邀请链接').click()
    await desk.getByLabel('备注').fill('姑姑')
    await buttonIn(desk, '创建').click()
    const link = await desk.getByRole('textbox', { name: '邀请链接' }).inputValue()
    expect(link).toMatch(/^http:\/\/localhost:\d+\/#\/login\?invite=[\w-]+$/)
    await desk.reload()
    await desk.getByText('姑姑').waitFor()
    expect(await desk.getByText(link).count()).toBe(0)
    await keepScreenshots(desk, '60-staff-invites')
    await buttonIn(desk, '撤回邀请：姑姑').click()
    await buttonIn(desk, '删除').click()
    await desk.getByText('姑姑').waitFor({ state: 'detached' })
    const left = await staff.client.call(listInvites, {})
    expect(left.map(({ remark }) => remark)).not.toContain('姑姑')
  })
})

describe('signing out', () => {
  it('goes by /custom/logout after a second, and leaves a dead session behind', async () => {
    const session = await signIn(homeport, user)
    const own = await openSignedIn(browser, homeport, session)
    const watched = await openWatched(own, homeport.url)
    await watched.page.goto(`${homeport.url}/#/devices`)
    await watched.page.getByRole('button', { name: '账号菜单' }).click()
    const asked = watched.page.waitForRequest(`${homeport.url}/custom/logout`)
    const pressedAt = performance.now()
    await watched.page.getByRole('menuitem', { name: '退出登录' }).click()
    await watched.page.getByText('正在退出…').waitFor()
    await asked
    expect(performance.now() - pressedAt).toBeGreaterThanOrEqual(1000)
    await watched.page.waitForURL(`${homeport.url}/#/login`)
    expect(await isSignedIn(session)).toBe(false)
    expect(await watched.take()).toEqual(noMisdeeds)
    // The browser's own cookies are as worthless as the program's.
    await watched.page.goto('about:blank')
    await watched.page.goto(`${homeport.url}/#/devices`)
    await watched.page.waitForURL(`${homeport.url}/#/login`)
    await watched.page.getByLabel('用户名或邮箱').waitFor()
    await own.close()
  })
})

describe('signing in', () => {
  it('asks for everything before it sends anything', async () => {
    const stranger = await openProfile(browser)
    const { page: tab, take, calls } = await openWatched(stranger, homeport.url)
    await tab.goto(`${homeport.url}/#/login`)
    await tab.getByRole('heading', { name: '登录归港' }).waitFor()
    const before = calls()
    await buttonIn(tab, '登录').click()
    expect(await tab.getByText('请填写这一项').count()).toBe(2)
    await tab.getByText('请先阅读并勾选服务条款').waitFor()
    expect(
      await tab.getByLabel('用户名或邮箱').evaluate(element => element === document.activeElement),
    ).toBe(true)
    await keepScreenshots(tab, '61-login-empty')
    expect(calls()).toBe(before)
    expect(await take()).toEqual(noMisdeeds)
    await stranger.close()
  })

  it('says that the password is wrong, and after some tries asks for a captcha', async () => {
    const stranger = await openProfile(browser)
    stranger.setDefaultTimeout(30_000)
    const tab = await stranger.newPage()
    await tab.goto(`${homeport.url}/#/login`)
    await tab.getByLabel('用户名或邮箱').fill(user.username)
    await tab.getByRole('checkbox').check()
    const attempt = async (password: string) => {
      await tab.getByLabel('密码', { exact: true }).fill(password)
      const answered = tab.waitForResponse('**/custom/login/')
      await buttonIn(tab, '登录').click()
      return (await answered).status()
    }
    expect(await attempt('wrong password 1')).toBe(401)
    await tab.getByText('账号或密码不正确').waitFor()
    expect(await tab.getByLabel('密码', { exact: true }).getAttribute('aria-invalid')).toBe('true')
    await keepScreenshots(tab, '62-login-wrong')
    const statuses = [401]
    while (statuses.at(-1) === 401 && statuses.length < 6) {
      statuses.push(await attempt(`wrong password ${statuses.length + 1}`))
    }
    expect(statuses.at(-1)).toBe(403)
    await tab.getByRole('dialog', { name: '安全验证' }).waitFor()
    await keepScreenshots(tab, '63-login-captcha')
    expect(await tab.getByLabel('用户名或邮箱').inputValue()).toBe(user.username)
    await stranger.close()
  })
})
