import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Account,
  addDevice,
  administrator,
  publish,
  setUpAdministrator,
} from './support/account.ts'
import { openProfile, startBrowser } from './support/browser.ts'
import {
  addUser,
  noMisdeeds,
  openSignedIn,
  openWatched,
  type WatchedPage,
} from './support/console.ts'
import { foreignUrls } from './support/hostile-urls.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Hostile `url` and `invalidDomain` against the guards of client.md section 2. The browser finds every evil host on this
// machine: whoever were led there would arrive, and be counted.

let homeport: Homeport
let browser: Browser
let owner: Account
let evil: Server
let home: Server
const arrivals: string[] = []
/** What targets at home were told of where a visitor came from. */
const referrers = new Set<string>()
/** Single-use secrets that stood in addresses. */
const tickets = new Set<string>()

beforeAll(async () => {
  evil = createServer((request, response) => {
    arrivals.push(`${request.headers.host}${request.url}`)
    response.setHeader('content-type', 'text/html')
    response.end('<title>evil</title><link rel="icon" href="data:,">')
  })
  home = createServer((request, response) => {
    referrers.add(request.headers.referer ?? '')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<title>home</title><link rel="icon" href="data:,"><p>${request.url}</p>`)
  })
  const [evilPort, homePort] = await Promise.all([listen(evil), listen(home)])
  const target = `http://127.0.0.1:${homePort}`
  homeport = await startHomeport([], { env: { HOMEPORT_LOG: 'debug' } })
  // Every evil name leads to the evil server, whatever port was asked for.
  browser = await startBrowser([
    `--host-resolver-rules=MAP *.example 127.0.0.1:${evilPort}, MAP * ~NOTFOUND, EXCLUDE *localhost`,
  ])
  owner = await setUpAdministrator(homeport)
  const { id } = await addDevice(homeport, owner, 'urls')
  await publish(owner, id, { name: 'mine', target, access: ['owner'] })
  const neighbour = await addUser(homeport, owner, {
    username: 'linju',
    password: 'a long password',
  })
  const theirs = await addDevice(homeport, neighbour, 'theirs')
  await publish(neighbour, theirs.id, { name: 'theirs', target, access: ['owner'] })
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  evil.close()
  home.close()
})

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

let context: BrowserContext
let watched: WatchedPage
let page: Page
/** Tabs, windows and dialogs that opened by themselves. */
let surprises: string[]

async function watch(opening: Promise<BrowserContext>): Promise<void> {
  context = await opening
  context.setDefaultTimeout(30_000)
  watched = await openWatched(context, homeport.url)
  page = watched.page
  surprises = []
  context.on('page', other => surprises.push(other.url()))
  context.on('request', request => {
    const ticket = new URL(request.url()).searchParams.get('__hp_ticket')
    if (ticket !== null) tickets.add(ticket)
  })
  page.on('dialog', async dialog => {
    surprises.push(dialog.message())
    await dialog.dismiss()
  })
  page.on('download', download => surprises.push(download.url()))
}

/** From here nothing has left the deployment, and no script of a visitor's making has run. */
async function expectQuiet(refused: readonly string[] = []): Promise<void> {
  expect(await watched.take()).toEqual({ ...noMisdeeds, refused })
  expect(surprises).toEqual([])
  expect(arrivals).toEqual([])
  expect(await page.evaluate(() => 'owned' in globalThis)).toBe(false)
}

/** Goes to an address inside the running console. */
const go = (hash: string) => page.evaluate(to => location.assign(to), hash)
const at = (hash: string) => page.waitForURL(url => url.href === `${homeport.url}/${hash}`)
const refusedTicket = '422 POST /api/user/gate-tickets/'

const withPort = (text: string) => text.replaceAll('PORT', String(homeport.port))
const short = (text: string) => JSON.stringify(text).slice(0, 70)
const cases = foreignUrls.map((url, index) => [short(url), url, index] as const)

describe('signed in', () => {
  beforeAll(async () => {
    await watch(openSignedIn(browser, homeport, owner))
    await page.goto(`${homeport.url}/#/check`)
  })
  afterAll(() => context?.close())

  it('would be seen where it left', async () => {
    const other = await openWatched(context, homeport.url)
    await other.page.goto('http://evil.example/x')
    expect((await other.take()).foreign).toEqual(['http://evil.example/x'])
    expect(arrivals.splice(0)).toEqual(['evil.example/x'])
    await other.page.close()
    surprises.length = 0
  })

  it.each(cases)('url=%s leads to no other page', async (_, text, index) => {
    const url = encodeURIComponent(withPort(text))
    const domain = `case-${index}.localhost`
    await go(`#/login?url=${url}&invalidDomain=${domain}`)
    await at(`#/errorport?invalidDomain=${domain}`)
    await expectQuiet([refusedTicket])
  })

  // A parameter counts once and by its exact name; of several the first counts, as everywhere else that reads a query.
  it.each([
    ['url=//evil.example/&url=http://mine.localhost:PORT/', 1],
    ['url[]=//evil.example/', 0],
    ['url%5B%5D=//evil.example/', 0],
    ['url[0]=//evil.example/', 0],
    ['url.x=//evil.example/', 0],
    ['URL=//evil.example/', 0],
    ['url%00=//evil.example/', 0],
    [';url=//evil.example/', 0],
    ['url=', 0],
    ['url', 0],
    ['next=//evil.example/&redirect=//evil.example/&redirect_uri=//evil.example/', 0],
    ['url=%', 1],
    ['url=%E0%A4%A', 1],
    ['url=//evil.example/%23', 1],
    ['n=//evil.example/&url=//evil.example/', 1],
  ])('login?%s', async (query, tickets) => {
    await go(`#/login?${withPort(query)}&invalidDomain=pair.localhost&invalidDomain=evil.example`)
    await at('#/errorport?invalidDomain=pair.localhost')
    await expectQuiet(Array.from({ length: tickets }, () => refusedTicket))
    await go('#/check')
    await at('#/check')
  })

  it('a pairing id does not lead out either', async () => {
    await go('#/login?pairing=//evil.example/&url=//evil.example/')
    await at('#/bind?pairing=%2F%2Fevil.example%2F')
    await page.getByRole('button', { name: '账号菜单' }).waitFor()
    const { refused, ...rest } = await watched.take()
    expect(rest).toEqual({ foreign: [], faults: [], withoutCsrf: [] })
    expect(refused[0]).toBe(refusedTicket)
    expect(arrivals).toEqual([])
  })

  // A hash is a path of the console and nothing else, however much it looks like a host.
  it.each([
    '//evil.example/',
    '///evil.example/',
    '/\\evil.example/',
    '\\\\evil.example/',
    '/%5Cevil.example/',
    '/%2F%2Fevil.example/',
    'https://evil.example/',
    '/https://evil.example/',
    '//evil.example/login?url=//evil.example/',
    'javascript:globalThis.owned=1',
    '/javascript:globalThis.owned=1',
    '/devices#//evil.example/',
    '/..//evil.example/',
    '/%',
    '/%E0%A4%A',
    '//login?url=//evil.example/',
    '/devices?url=//evil.example/',
    '?url=//evil.example/',
    'url=//evil.example/',
  ])('#%s stays inside', async hash => {
    await go('#/check')
    await page.getByRole('link', { name: '返回登录' }).waitFor()
    await go(`#${hash}`)
    await page.getByRole('button', { name: '账号菜单' }).waitFor()
    expect(new URL(page.url()).origin).toBe(homeport.url)
    await expectQuiet()
  })

  it('a query before the hash counts for nothing', async () => {
    await page.goto('about:blank')
    const query = '?url=//evil.example/&invalidDomain=x.localhost'
    await page.goto(`${homeport.url}/${query}#//evil.example/`)
    await at(`${query}#/devices`)
    await expectQuiet()
    await page.goto(`${homeport.url}/#/check`)
  })

  it.each([
    ['/login', 'errorport', [refusedTicket]],
    ['/', 'errorport', []],
    ['/devices', 'errorport', []],
    ['/errorport', 'errorport', []],
    ['/check', 'check', []],
    ['/setup', 'setup', []],
  ])('%s takes url and invalidDomain only as the table says', async (route, end, refused) => {
    await go('#/check')
    const query = `url=${encodeURIComponent('//evil.example/')}&invalidDomain=both.localhost`
    await go(`#${route}?${query}`)
    await page.waitForURL(url => url.hash.startsWith(`#/${end}`))
    if (end === 'errorport') await page.getByText('both.localhost').first().waitFor()
    await expectQuiet(refused)
  })

  it("another tenant's name and a name that nobody has end at the error page", async () => {
    for (const host of ['theirs.localhost', 'nobodys.localhost', 'xn--mne-5cd.localhost']) {
      for (const path of ['/', '//evil.example/', '/?next=//evil.example/']) {
        const url = `http://${host.toUpperCase()}:${homeport.port}${path}`
        await go(`#/login?url=${encodeURIComponent(url)}&invalidDomain=other.localhost`)
        await at(`#/errorport?invalidDomain=${host}`)
        await page.getByText(host).first().waitFor()
        await expectQuiet(['403 POST /api/user/gate-tickets/'])
        await go('#/check')
        await at('#/check')
      }
    }
  })

  it('the own name opens at every path and leads nowhere else', async () => {
    for (const [path, end = path] of [
      ['/'],
      ['//evil.example/'],
      ['/%5Cevil.example/'],
      ['/%2F%2Fevil.example/'],
      ['/@evil.example/'],
      ['/?url=//evil.example/&next=https://evil.example/'],
      ['/;//evil.example'],
      ['/.%09/evil.example'],
      // The way round goes through the relay, which never sees a fragment.
      ['/x?y#//evil.example/', '/x?y'],
    ] as [string, string?][]) {
      // The gate's whole way round each time, redirects included.
      await context.clearCookies({ domain: 'mine.localhost' })
      const url = `http://mine.localhost:${homeport.port}`
      await page.goto(`${homeport.url}/#/check`)
      await go(`#/login?url=${encodeURIComponent(url + path)}`)
      await page.waitForURL(url + end)
      expect(await page.title()).toBe('home')
      expect(await watched.take(), path).toEqual(noMisdeeds)
    }
    expect([surprises, arrivals]).toEqual([[], []])
  })

  it('no log and no target learns a ticket, a cookie or where the visitor came from', async () => {
    expect(tickets.size).toBeGreaterThan(8)
    const cookies = (await context.cookies()).map(({ value }) => value)
    expect(cookies.length).toBeGreaterThan(3)
    const output = homeport.output()
    expect(output).toContain('answered')
    const secrets = [...tickets, ...cookies, administrator.password]
    expect(secrets.filter(secret => output.includes(secret))).toEqual([])
    // A page of the name itself may be named; the console, or an address with a ticket, never is.
    const own = `http://mine.localhost:${homeport.port}/`
    const told = [...referrers].filter(text => text !== '')
    expect(told.filter(text => !text.startsWith(own) || text.includes('ticket'))).toEqual([])
  })
})

describe('invalidDomain', () => {
  beforeAll(async () => {
    await watch(openSignedIn(browser, homeport, owner))
    await page.goto(`${homeport.url}/#/check`)
  })
  afterAll(() => context?.close())

  it.each([
    ['<img src=x onerror=globalThis.owned=1>'],
    ['"><script>globalThis.owned=1</script>'],
    ["';globalThis.owned=1;//"],
    ['{{constructor.constructor("globalThis.owned=1")()}}'],
    ['javascript:globalThis.owned=1'],
    ['//evil.example/'],
    ['https://evil.example/'],
    ['good.localhost@evil.example'],
    // Marks that turn the reading round, or hide.
    ['\u202eelpmaxe.live\u202c'],
    ['\u2067evil\u2069.example'],
    ['\u200b\u200d\ufeff'],
    ['mine.localhost\n\nevil.example'],
    ['%2F%2Fevil.example'],
    ['../../user/info'],
    ['a'.repeat(253)],
    ['a'.repeat(20_000)],
    ['\u{1f4a3}'.repeat(200)],
  ])('%j is text and nothing else', async domain => {
    await go('#/check')
    await page.getByRole('link', { name: '返回登录' }).waitFor()
    await go(`#/?invalidDomain=${encodeURIComponent(domain)}&invalidDomain=second.localhost`)
    await at(`#/errorport?${new URLSearchParams({ invalidDomain: domain })}`)
    await page.getByRole('link', { name: '我的设备' }).waitFor()
    const links = await page.evaluate(() =>
      [...document.querySelectorAll('a')].map(link => new URL(link.href).origin),
    )
    expect(new Set([...links, homeport.url])).toEqual(new Set([homeport.url]))
    expect(await page.title()).toBe('归港 - 访问错误')
    expect(await page.locator('body').textContent()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    await expectQuiet()
  })
})

describe('signed out', () => {
  beforeAll(async () => {
    await watch(openProfile(browser))
    await page.goto(`${homeport.url}/#/check`)
  })
  afterAll(() => context?.close())

  it('every route keeps a hostile query for later and asks nobody about it', async () => {
    for (const text of ['//evil.example/', 'javascript:globalThis.owned=1', '\\\\evil.example']) {
      const query = `url=${encodeURIComponent(text)}&invalidDomain=x.localhost`
      for (const route of ['/', '/devices', '/errorport', '/nowhere', '/login']) {
        await go('#/check')
        await at('#/check')
        await go(`#${route}?${query}`)
        // What leads to / on its way loses its query there, as client.md has it.
        await at(route === '/nowhere' ? '#/login' : `#/login?${query}`)
      }
    }
    await expectQuiet()
  })

  it.each([
    'https://mine.localhost@evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    'javascript:globalThis.owned=1',
    'data:text/html,<script>globalThis.owned=1</script>',
  ])('signing in on the way to %s ends at home', async url => {
    await context.clearCookies()
    await page.goto('about:blank')
    await page.goto(`${homeport.url}/#/login?url=${encodeURIComponent(url)}`)
    await page.getByLabel('用户名或邮箱').fill(administrator.username)
    await page.getByLabel('密码', { exact: true }).fill(administrator.password)
    await page.getByRole('checkbox').check()
    // Nobody is told that the way goes on to a place it will never lead to.
    expect(await page.getByText('登录后').count()).toBe(0)
    await page.keyboard.press('Enter')
    await at('#/devices')
    // The sign-in's answer replaces the cookie that the watcher compares its call with.
    const { withoutCsrf: _, ...rest } = await watched.take()
    expect(rest).toEqual({ foreign: [], faults: [], refused: [refusedTicket] })
    await expectQuiet()
  })
})
