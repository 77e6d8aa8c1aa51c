import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser } from './support/browser.ts'
import {
  addUser,
  noMisdeeds,
  openSignedIn,
  openWatched,
  type WatchedPage,
} from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// The table of client.md section 2 in a browser, from fresh loads and on the way through the running console.

let homeport: Homeport
let browser: Browser
let owner: Account
let neighbour: Account
let device: number
const home = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<title>home</title><link rel="icon" href="data:,"><p>${request.url}</p>`)
})

beforeAll(async () => {
  home.listen(0, '127.0.0.1')
  await once(home, 'listening')
  const target = `http://127.0.0.1:${(home.address() as AddressInfo).port}`
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
  device = (await addDevice(homeport, owner, 'routes')).id
  await publish(owner, device, { name: 'mine', target, access: ['owner'] })
  await publish(owner, device, { name: 'everybodys', target })
  neighbour = await addUser(homeport, owner, { username: 'linju', password: 'a long password' })
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  home.close()
})

let watched: WatchedPage

/** Loads a route anew and waits for where it ends. */
async function follow(route: string, end: string): Promise<void> {
  await watched.page.goto('about:blank')
  await watched.page.goto(`${homeport.url}/#${route}`)
  await watched.page.waitForURL(end.startsWith('http') ? end : `${homeport.url}/#${end}`)
}

/** Goes from /check to a route inside the running console. */
async function walk(route: string, end: string): Promise<void> {
  const { page } = watched
  await page.evaluate(hash => location.replace(hash), '#/check')
  await page.waitForURL(`${homeport.url}/#/check`)
  await page.evaluate(hash => location.assign(hash), `#${route}`)
  await page.waitForURL(`${homeport.url}/#${end}`)
}

const title = () => watched.page.title()
const expectTitle = (name: string) => expect.poll(title, { timeout: 10_000 }).toBe(name)
const refusedTicket = '422 POST /api/user/gate-tickets/'
const noSuch = 'invalidDomain=no-such.localhost'

const titles: Record<string, string> = {
  '/devices': '归港 - 我的设备',
  '/statistics': '归港 - 主页',
  '/user/info': '归港 - 个人信息',
  '/playersare': '归港 - 玩家交流',
  '/productos': '归港 - 兑换码管理',
  '/record': '归港 - 验证记录',
  '/invite': '归港 - 邀请好友',
  '/buy': '归港 - 购买套餐',
  '/announcements': '归港 - 公告',
  '/tutorial': '归港 - 教程',
  '/bind': '归港 - 绑定设备',
  '/staff/invites': '归港 - 运营',
  '/staff/announcements': '归港 - 运营',
}

describe('signed out', () => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await openProfile(browser)
    watched = await openWatched(context, homeport.url)
  })
  afterEach(async () => {
    expect(await watched.take()).toEqual(noMisdeeds)
  })
  afterAll(async () => {
    expect(watched.calls()).toBeGreaterThan(50)
    await context?.close()
  })

  it.each([
    ['/check', '/check', '归港 - 验证登录'],
    ['/check?error=a&state=b', '/check?error=a&state=b', '归港 - 验证登录'],
    ['/login', '/login', '归港 - 登录'],
    [`/login?${noSuch}`, `/login?${noSuch}`, '归港 - 登录'],
    ['/login?url=https%3A%2F%2Fevil.example%2F', '/login?url=https%3A%2F%2Fevil.example%2F'],
    ['/setup', '/setup', '归港 - 初始设置'],
    ['/', '/login'],
    ['/?a=1&b=%2F', '/login?a=1&b=%2F'],
    [`/?${noSuch}`, `/login?${noSuch}`],
    ['/errorport', '/login'],
    [`/errorport?${noSuch}`, `/login?${noSuch}`],
    ['/nowhere', '/login'],
    ['/nowhere/at/all', '/login'],
    ['/login/more', '/login'],
    ['/devices/1/records', '/login'],
    ['/devices?q=a%20b', '/login?q=a%20b'],
  ])('%s → %s', async (route = '', end = '', name = '归港 - 登录') => {
    await follow(route, end)
    await expectTitle(name)
  })

  it('every page inside the shell leads to the login page with its query', async () => {
    await follow('/check', '/check')
    for (const route of Object.keys(titles)) {
      await walk(`${route}?q=a%20b`, '/login?q=a%20b')
      await expectTitle('归港 - 登录')
    }
  })

  it('/check says that there is no single sign-on, and leads back', async () => {
    await follow('/check', '/check')
    const back = watched.page.getByRole('link', { name: '返回登录' })
    await back.waitFor()
    await keepScreenshots(watched.page, '20-check')
    await back.click()
    await watched.page.waitForURL(`${homeport.url}/#/login`)
  })
})

describe('signed in', () => {
  let context: BrowserContext
  beforeAll(async () => {
    context = await openSignedIn(browser, homeport, owner)
    watched = await openWatched(context, homeport.url)
  })
  afterEach(async () => {
    expect(await watched.take()).toEqual(noMisdeeds)
  })
  afterAll(async () => {
    expect(watched.calls()).toBeGreaterThan(50)
    await context?.close()
  })

  it.each([
    ['/devices', '/devices'],
    ['/user/info', '/user/info', '归港 - 个人信息'],
    ['/', '/devices'],
    ['/?a=1', '/devices'],
    ['/nowhere', '/devices'],
    ['/nowhere/at/all?a=1', '/devices'],
    ['/login', '/devices'],
    ['/login?a=1', '/devices'],
    ['/check', '/check', '归港 - 验证登录'],
    ['/errorport', '/errorport', '归港 - 访问错误'],
    [`/errorport?${noSuch}`, `/errorport?${noSuch}`, '归港 - 访问错误'],
    [`/?${noSuch}`, `/errorport?${noSuch}`, '归港 - 访问错误'],
    [`/login?${noSuch}`, `/errorport?${noSuch}`, '归港 - 访问错误'],
    [`/devices?${noSuch}&q=1`, `/errorport?${noSuch}`, '归港 - 访问错误'],
    [`/user/info?${noSuch}`, `/errorport?${noSuch}`, '归港 - 访问错误'],
    ['/staff', '/staff/invites', '归港 - 运营'],
    ['/devices/0/records', '/devices/0/records'],
    ['/devices/99999/records', '/devices/99999/records'],
  ])('%s → %s', async (route = '', end = '', name = '归港 - 我的设备') => {
    await follow(route, end)
    await expectTitle(name)
  })

  it('every page inside the shell has its title', async () => {
    await follow('/check', '/check')
    for (const [route, name] of Object.entries(titles)) {
      await walk(route, route)
      await expectTitle(name)
    }
  })

  it('a device opens at its names', async () => {
    await follow(`/devices/${device}/nothing`, `/devices/${device}/records`)
  })

  it('the label stands alone while no route is there to give a title', async () => {
    const held = Promise.withResolvers<void>()
    const { page } = watched
    await page.goto('about:blank')
    await page.route('**/api/profile/', async route => {
      await held.promise
      await route.continue()
    })
    try {
      // From another document: a change of the hash alone would not start the console anew.
      await page.goto('about:blank')
      await page.goto(`${homeport.url}/#/devices`)
      expect(await page.title()).toBe('归港')
    } finally {
      held.resolve()
      await page.unrouteAll({ behavior: 'wait' })
    }
    await expectTitle('归港 - 我的设备')
  })

  it('/login?url= replaces the page with the own name, through the gate', async () => {
    const url = `http://mine.localhost:${homeport.port}/a/b?c=1&d=%2F`
    const { page } = watched
    await page.goto(`${homeport.url}/#/check`)
    await page.goto(`${homeport.url}/#/login?url=${encodeURIComponent(url)}&${noSuch}`)
    await page.getByText('/a/b?c=1&d=%2F', { exact: true }).waitFor()
    expect(page.url()).toBe(url)
    await page.goBack()
    await page.waitForURL(`${homeport.url}/#/check`)
  })

  it('/login?url= of a public name goes there', async () => {
    const url = `http://everybodys.localhost:${homeport.port}/x`
    await follow(`/login?url=${encodeURIComponent(url)}`, url)
    await watched.page.getByText('/x', { exact: true }).waitFor()
  })

  it.each(
    [
      'https://evil.example/',
      'https://mine.localhost@evil.example/',
      '//evil.example/',
      '/\\evil.example/',
      'javascript:document.title="owned"',
      'JaVaScRiPt:alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'file:///etc/passwd',
      'http://mine.localhost.evil.example/',
      'http://mine.localhost:1/',
      '/devices',
      'mine.localhost',
      `http://mine.localhost/${'a'.repeat(5000)}`,
      ' ',
    ].map(url => [url.slice(0, 60), url]),
  )('drops the address %s and goes on as the order says', async (_, url = '') => {
    const query = `url=${encodeURIComponent(url)}`
    await follow(`/login?${query}`, '/devices')
    await watched.page.evaluate(hash => location.assign(hash), `#/login?${query}&${noSuch}`)
    await watched.page.waitForURL(`${homeport.url}/#/errorport?${noSuch}`)
    expect((await watched.take()).refused).toEqual([refusedTicket, refusedTicket])
  })

  it('drops our own name with credentials or another scheme', async () => {
    for (const url of [
      `http://good@mine.localhost:${homeport.port}/`,
      `http://mine.localhost:${homeport.port}@evil.example/`,
      `https://mine.localhost:${homeport.port}/`,
      homeport.url,
    ]) {
      await follow(`/login?url=${encodeURIComponent(url)}`, '/devices')
      expect((await watched.take()).refused).toEqual([refusedTicket])
    }
  })
})

describe('signed in as somebody else', () => {
  it.each([
    ['mine', '您没有访问权限'],
    ['nobodys', '这个域名没有被使用'],
  ])('is told why %s does not open', async (name, reason) => {
    const context = await openSignedIn(browser, homeport, neighbour)
    watched = await openWatched(context, homeport.url)
    const url = `http://${name}.localhost:${homeport.port}/secret`
    const host = `${name}.localhost`
    await follow(
      `/login?url=${encodeURIComponent(url)}&invalidDomain=other.localhost`,
      `/errorport?invalidDomain=${host}`,
    )
    await watched.page.getByText(reason).waitFor()
    await watched.page.getByText(host).waitFor()
    expect(await title()).toBe('归港 - 访问错误')
    await keepScreenshots(watched.page, `21-errorport-${name}`)
    expect(await watched.take()).toEqual({
      ...noMisdeeds,
      refused: ['403 POST /api/user/gate-tickets/'],
    })
    await context.close()
  })

  it('may not open the pages of staff', async () => {
    const context = await openSignedIn(browser, homeport, neighbour)
    watched = await openWatched(context, homeport.url)
    await follow('/staff/invites', '/staff/invites')
    await watched.page.getByText('需要运营权限').waitFor()
    expect(await watched.page.getByRole('link', { name: '运营' }).count()).toBe(0)
    expect(await watched.page.getByRole('link', { name: '兑换码管理' }).count()).toBe(0)
    expect(await watched.take()).toEqual(noMisdeeds)
    await context.close()
  })
})
