import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { noMisdeeds, openSignedIn, openWatched, type WatchedPage } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// What holds for every page: it fits a phone, everything has a name, the keyboard reaches it, nothing is invented.

let homeport: Homeport
let browser: Browser
let owner: Account
let device: number
let signedIn: BrowserContext
let signedOut: BrowserContext

beforeAll(async () => {
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
  device = (await addDevice(homeport, owner, '一台名字很长很长很长的设备-with-a-long-latin-name'))
    .id
  const name = `a-${'long-'.repeat(11)}name`
  await publish(owner, device, { name, target: 'http://127.0.0.1:8123', access: ['owner'] })
  await publish(owner, device, { name: 'open', target: 'http://127.0.0.1:1' })
  signedIn = await openSignedIn(browser, homeport, owner, viewports.phone)
  signedOut = await openProfile(browser, viewports.phone)
  signedOut.setDefaultTimeout(30_000)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

/** Opens a route in the width of a phone and waits until nothing is loading. */
async function openOnPhone({ page }: WatchedPage, route: string): Promise<void> {
  await page.setViewportSize(viewports.phone)
  await page.goto('about:blank')
  await page.goto(`${homeport.url}/#${route}`)
  await page.locator('main h1, main h2').first().waitFor()
  await page.locator('.ant-skeleton, .ant-spin-spinning').first().waitFor({ state: 'detached' })
}

const roles =
  'button|link|textbox|searchbox|checkbox|radio|switch|combobox|spinbutton|slider|tab|menuitem|dialog'

/** What a screen reader would announce without any name. */
async function listNameless(page: Page): Promise<string[]> {
  const lines = (await page.locator('body').ariaSnapshot()).split('\n')
  return lines.filter(line => new RegExp(`^\\s*- (${roles})(?! ")\\b`).test(line))
}

/** Icons that a screen reader would announce by the English name of their file, as `plus` before 添加设备. */
const listSpokenIcons = (page: Page) =>
  page
    .locator('.anticon:not([aria-hidden])')
    .evaluateAll(icons =>
      icons
        .map(icon => icon.getAttribute('aria-label') ?? icon.outerHTML)
        .filter(label => /^[\x20-\x7e]*$/.test(label)),
    )

/** Elements that stick out of the page to the right. */
const listTooWide = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    if ((document.scrollingElement?.scrollWidth ?? 0) <= width) return []
    return [...document.querySelectorAll('body *')]
      .filter(element => element.getBoundingClientRect().right > width + 0.5)
      .map(element => element.outerHTML.slice(0, 120))
  })

const later = {
  '/statistics': '主页',
  '/playersare': '玩家交流',
  '/productos': '兑换码管理',
  '/record': '验证记录',
  '/invite': '邀请好友',
  '/buy': '购买套餐',
  '/tutorial': '教程',
}

describe('every page signed in', () => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openWatched(signedIn, homeport.url)
  })

  it.each([
    '/devices',
    '/devices?add=1',
    '/devices/{id}/records',
    '/devices/{id}/records?add=1',
    '/devices/{id}/apps',
    '/devices/{id}/files',
    '/devices/{id}/servers',
    '/devices/{id}/plan',
    '/devices/{id}/facts',
    '/user/info',
    '/announcements',
    '/bind',
    '/staff/invites',
    '/staff/announcements',
    '/errorport',
    '/errorport?invalidDomain=open.localhost',
    '/check',
    ...Object.keys(later),
  ])('%s fits a phone, names everything and logs nothing', async template => {
    const route = template.replace('{id}', String(device))
    await openOnPhone(watched, route)
    expect(await listTooWide(watched.page)).toEqual([])
    expect(await listNameless(watched.page)).toEqual([])
    expect(await listSpokenIcons(watched.page)).toEqual([])
    await watched.page.setViewportSize(viewports.desktop)
    expect(await listTooWide(watched.page)).toEqual([])
    expect(await listNameless(watched.page)).toEqual([])
    await keepScreenshots(
      watched.page,
      `70${template.replaceAll(/[{}]/g, '').replaceAll(/\W/g, '-')}`,
    )
    expect(await watched.take()).toEqual(noMisdeeds)
  })

  it.each(Object.entries(later))(
    '%s says that it is not open, and invents nothing',
    async (route, title) => {
      await openOnPhone(watched, route)
      const main = watched.page.getByRole('main')
      expect(await main.getByRole('heading').allTextContents()).toEqual([title, '尚未开放'])
      expect(await main.textContent()).not.toMatch(/\d/)
      for (const role of ['table', 'list', 'textbox', 'img'] as const) {
        expect(await main.getByRole(role).filter({ hasNotText: '' }).count(), role).toBe(0)
      }
      await main.getByRole('link', { name: '返回我的设备' }).click()
      await watched.page.waitForURL(`${homeport.url}/#/devices`)
    },
  )

  it('the menu of a phone is a drawer that leads everywhere and closes itself', async () => {
    await openOnPhone(watched, '/devices')
    const { page } = watched
    await page.getByRole('button', { name: '打开菜单' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('link', { name: '教程' }).waitFor()
    await keepScreenshots(page, '71-menu')
    const entries = await drawer.getByRole('link').allTextContents()
    expect(entries.map(text => text.trim())).toEqual(
      expect.arrayContaining(['主页', '我的设备', '购买套餐', '邀请好友', '公告', '验证记录']),
    )
    await drawer.getByRole('link', { name: '教程' }).click()
    await page.waitForURL(/#\/tutorial$/)
    await drawer.waitFor({ state: 'hidden' })
  })
})

describe('every page signed out', () => {
  let watched: WatchedPage
  beforeAll(async () => {
    watched = await openWatched(signedOut, homeport.url)
  })

  it.each(['/login', '/login?url=http%3A%2F%2Fopen.localhost%2F', '/check', '/setup'])(
    '%s fits a phone, names everything and logs nothing',
    async route => {
      await openOnPhone(watched, route)
      expect(await listTooWide(watched.page)).toEqual([])
      expect(await listNameless(watched.page)).toEqual([])
      expect(await listSpokenIcons(watched.page)).toEqual([])
      await keepScreenshots(watched.page, `72${route.replaceAll(/\W+/g, '-')}`)
      expect(await watched.take()).toEqual(noMisdeeds)
    },
  )
})

describe('the keyboard', () => {
  const focusedName = (page: Page) =>
    page.evaluate(() => {
      const { activeElement: element } = document
      return element?.getAttribute('aria-label') ?? element?.textContent ?? ''
    })

  it('reaches signing in from the first field on', async () => {
    const { page } = await openWatched(signedOut, homeport.url)
    await page.goto(`${homeport.url}/#/login`)
    await page.getByLabel('用户名或邮箱').waitFor()
    expect(
      await page.getByLabel('用户名或邮箱').evaluate(element => element === document.activeElement),
    ).toBe(true)
    const passed = []
    while (passed.at(-1) !== '登录' && passed.length < 8) {
      await page.keyboard.press('Tab')
      passed.push(await focusedName(page))
    }
    expect(passed.at(-1)).toBe('登录')
    await page.keyboard.press('Enter')
    await page.getByText('请先阅读并勾选服务条款').waitFor()
    await page.close()
  })

  it('goes past the menu to the main action of the devices', async () => {
    const { page } = await openWatched(signedIn, homeport.url)
    await page.setViewportSize(viewports.desktop)
    await page.goto(`${homeport.url}/#/devices`)
    await page.getByRole('heading', { level: 1, name: '我的设备' }).waitFor()
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('跳到主要内容')
    await keepScreenshots(page, '73-skip-link')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await focusedName(page)).toBe('添加设备')
    await page.keyboard.press('Enter')
    const wizard = page.getByRole('dialog', { name: '添加设备' })
    await wizard.waitFor()
    await page.keyboard.press('Escape')
    await wizard.waitFor({ state: 'detached' })
    await expect.poll(() => focusedName(page)).toBe('添加设备')
    expect(page.url()).toBe(`${homeport.url}/#/devices`)
    await page.close()
  })
})
