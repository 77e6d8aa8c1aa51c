import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Announcement, createAnnouncement, getProfile } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { addUser, noMisdeeds, openSignedIn, openWatched } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// The announcements dialog of client.md sections 2 and 9; the stories stand on each other.

let homeport: Homeport
let browser: Browser
let staff: Account
let reader: Account
let linked: Announcement
let last: Announcement
let news: { url: string; close(): void }

const announce = (announcement: {
  title: string
  detail: string
  url?: string
  display?: boolean
}) => staff.client.call(createAnnouncement, { body: announcement })

const readUpTo = async (account: Account) =>
  (await account.client.call(getProfile, {}))[0]?.readed_announcement_id

const dialogOf = (page: Page) => page.getByRole('dialog')
const gotIt = (page: Page) => dialogOf(page).getByRole('button', { name: '知道了' })

beforeAll(async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>news</title>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  news = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/news?a=1`,
    close: () => server.close(),
  }
  homeport = await startHomeport()
  browser = await startBrowser()
  staff = await setUpAdministrator(homeport)
  reader = await addUser(homeport, staff, { username: 'duzhe', password: 'a long password' })
  await announce({ title: '隐藏一', detail: '不应出现', display: false })
  await announce({ title: '维护', detail: '今晚 23:00 升级线路，<b>可能</b>中断几分钟。' })
  await announce({ title: '隐藏二', detail: '不应出现', display: false })
  linked = await announce({ title: '新版本', detail: '点击查看', url: news.url })
  last = await announce({ title: '提醒', detail: '请为账号设置更长的密码。' })
  await announce({ title: '隐藏三', detail: '不应出现', display: false })
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  news.close()
})

const rows = [
  '1. 【维护】: 今晚 23:00 升级线路，<b>可能</b>中断几分钟。',
  '2. 【新版本】: 点击查看',
]
const allRows = [...rows, '3. 【提醒】: 请为账号设置更长的密码。']

describe('the dialog of a signed-in reader', () => {
  let context: BrowserContext
  let page: Page
  beforeAll(async () => {
    context = await openSignedIn(browser, homeport, reader)
    page = await context.newPage()
    await page.goto(`${homeport.url}/#/devices`)
    await dialogOf(page).waitFor()
  })
  afterAll(() => context?.close())

  it('is modal, titled 公告, and numbers the displayed rows without gaps', async () => {
    const dialog = page.getByRole('dialog', { name: '公告', exact: true })
    await dialog.waitFor()
    expect(await dialog.getAttribute('aria-modal')).toBe('true')
    expect(await dialog.getByRole('listitem').allInnerTexts()).toEqual(allRows)
    expect(await page.getByText('不应出现').count()).toBe(0)
    await keepScreenshots(page, '22-announcements')
  })

  it.each([
    ['desktop', 582],
    ['phone', 360 - 32],
  ] as const)('is as wide as decided on a %s, 50 px from the top', async (name, width) => {
    await page.setViewportSize(viewports[name])
    const readBox = () =>
      dialogOf(page).evaluate(element => element.getBoundingClientRect().toJSON())
    await expect.poll(readBox).toMatchObject({ width, top: 50 })
    const { left, right } = await readBox()
    expect(Math.abs(left - (viewports[name].width - right))).toBeLessThanOrEqual(1)
    expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(
      viewports[name].width,
    )
    await page.setViewportSize(viewports.desktop)
  })

  it('has the keyboard on its button, and never lets it to what lies behind', async () => {
    expect(await gotIt(page).evaluate(element => element === document.activeElement)).toBe(true)
    // Past the last element the browser's own controls follow; the page then has its focus on the body.
    const readPlace = () =>
      page.evaluate(() => {
        const { activeElement } = document
        if (activeElement === document.body) return 'browser'
        return activeElement?.closest('[role=dialog]') ? 'dialog' : activeElement?.outerHTML
      })
    const places = []
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press(i < 5 ? 'Tab' : 'Shift+Tab')
      places.push(await readPlace())
    }
    expect(new Set(places)).toEqual(new Set(['dialog', 'browser']))
  })

  it('is closed neither by Escape nor by the backdrop, and has no icon to close it', async () => {
    await page.keyboard.press('Escape')
    await page.mouse.click(20, 700)
    await page.mouse.click(640, 790)
    await page.keyboard.press('Escape')
    expect(await dialogOf(page).getByRole('button').allInnerTexts()).toEqual(['知道了'])
    expect(await dialogOf(page).isVisible()).toBe(true)
    expect(await readUpTo(reader)).toBe(0)
  })

  it('opens the address of a row in a new window that has no opener', async () => {
    const opening = context.waitForEvent('page')
    await dialogOf(page).getByText('2. 【新版本】: 点击查看').click()
    const opened = await opening
    await opened.waitForLoadState()
    expect(opened.url()).toBe(linked.url)
    expect(await opened.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
    await opened.close()
    expect(context.pages()).toHaveLength(1)
    await dialogOf(page).getByText('1. 【维护】').click()
    expect(context.pages()).toHaveLength(1)
    expect(await dialogOf(page).isVisible()).toBe(true)
  })

  it('is removed by 知道了; the page scrolls again 200 ms later, not before', async () => {
    const readOverflow = () => page.evaluate(() => getComputedStyle(document.body).overflowY)
    expect(await readOverflow()).toBe('hidden')
    const patched = page.waitForResponse(
      response => response.request().method() === 'PATCH' && /profile/.test(response.url()),
    )
    // Watched from inside the page, where no round trip blurs the times.
    const times = page.evaluate(
      () =>
        new Promise<{ gone: number; released: number }>(resolve => {
          let pressed = 0
          let gone = 0
          document.addEventListener(
            'click',
            () => {
              pressed = performance.now()
            },
            { once: true, capture: true },
          )
          new MutationObserver((_, observer) => {
            const now = performance.now()
            if (gone === 0 && document.querySelector('[role=dialog]') === null) gone = now
            if (pressed === 0 || getComputedStyle(document.body).overflowY === 'hidden') return
            observer.disconnect()
            resolve({ gone: gone - pressed, released: now - pressed })
          }).observe(document.body, { attributes: true, childList: true, subtree: true })
        }),
    )
    await gotIt(page).click()
    const { gone, released } = await times
    expect(gone).toBeGreaterThan(0)
    expect(released).toBeGreaterThanOrEqual(195)
    expect(released).toBeLessThan(1000)
    expect(await dialogOf(page).count()).toBe(0)
    expect((await patched).status()).toBe(200)
    expect(await readUpTo(reader)).toBe(last.id)
  })

  it('does not come back on a reload, yet can be asked for', async () => {
    await page.reload()
    await page.getByRole('button', { name: '查看公告', exact: true }).click()
    await dialogOf(page).waitFor()
    expect(await dialogOf(page).getByRole('listitem').allInnerTexts()).toEqual(allRows)
    await gotIt(page).click()
    await page.goto(`${homeport.url}/#/announcements`)
    await page.getByText(allRows[2] ?? '').waitFor()
    expect(await dialogOf(page).count()).toBe(0)
    await keepScreenshots(page, '23-announcements-page')
  })

  it('marks a new one in the header at once, and opens for it at the next visit', async () => {
    const fresh = await announce({ title: '第四条', detail: '刚刚发布' })
    await page.getByRole('button', { name: '查看公告（有未读）' }).waitFor()
    await page.reload()
    await dialogOf(page).waitFor()
    expect(await dialogOf(page).getByRole('listitem').last().textContent()).toBe(
      '4. 【第四条】: 刚刚发布',
    )
    await gotIt(page).click()
    await page.getByRole('button', { name: '查看公告', exact: true }).waitFor()
    await expect.poll(() => readUpTo(reader)).toBe(fresh.id)
  })
})

describe('the dialog of a visitor', () => {
  it('is remembered by the browser until sign-in, then by the account', async () => {
    const context = await openProfile(browser)
    const watched = await openWatched(context, homeport.url)
    const { page } = watched
    await page.goto(`${homeport.url}/#/login`)
    await dialogOf(page).waitFor()
    expect(await dialogOf(page).getByRole('listitem').count()).toBe(4)
    await keepScreenshots(page, '24-announcements-visitor')
    await gotIt(page).click()
    await page.reload()
    await page.getByRole('heading', { name: '登录归港' }).waitFor()
    expect(await dialogOf(page).count()).toBe(0)
    await announce({ title: '第五条', detail: '给访客' })
    await page.reload()
    await dialogOf(page).waitFor()
    await gotIt(page).click()
    const fresh = await addUser(homeport, staff, {
      username: 'xinren',
      password: 'a long password',
    })
    expect(await readUpTo(fresh)).toBe(0)
    await page.getByLabel('用户名或邮箱').fill('xinren')
    await page.getByLabel('密码', { exact: true }).fill('a long password')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await page.waitForURL(/#\/devices$/)
    await expect.poll(() => readUpTo(fresh)).toBeGreaterThan(0)
    await page.getByRole('button', { name: '查看公告', exact: true }).waitFor()
    expect(await dialogOf(page).count()).toBe(0)
    expect(await watched.take()).toEqual(noMisdeeds)
    await context.close()
  })
})

describe('announcements that do not load', () => {
  it.each([
    ['abort', (route: import('playwright-core').Route) => route.abort()],
    [
      'a 500',
      (route: import('playwright-core').Route) => route.fulfill({ status: 500, body: 'x' }),
    ],
  ] as const)('stay silent after %s, and the app mounts', async (_, answer) => {
    const context = await openSignedIn(browser, homeport, staff)
    const page = await context.newPage()
    await page.route('**/api/announcement/announcements/', answer)
    await page.goto(`${homeport.url}/#/devices`)
    await page.getByRole('heading', { name: '我的设备' }).waitFor()
    expect(await dialogOf(page).count()).toBe(0)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.goto(`${homeport.url}/#/announcements`)
    await page.getByRole('button', { name: '重试' }).waitFor()
    await page.unroute('**/api/announcement/announcements/')
    await page.getByRole('button', { name: '重试' }).click()
    await page
      .getByText(allRows[0] ?? '')
      .first()
      .waitFor()
    await context.close()
  })
})
