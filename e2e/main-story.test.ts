import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keepScreenshots, openProfile, startBrowser } from './support/browser.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { splitCommand } from './support/split-command.ts'

// One newcomer's first quarter of an hour; every step stands on the one before.
describe('the main story', () => {
  let homeport: Homeport
  let browser: Browser
  let owner: BrowserContext
  let page: Page
  let home: Server
  const faults: string[] = []

  beforeAll(async () => {
    home = createServer((request, response) => {
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(`<title>书房 NAS</title><h1>书房 NAS</h1><p>${request.url}</p>`)
    }).listen(0, '127.0.0.1')
    await once(home, 'listening')
    homeport = await startHomeport()
    browser = await startBrowser()
    owner = await openProfile(browser)
    page = await owner.newPage()
    page.on('pageerror', error => faults.push(String(error)))
  })

  afterAll(async () => {
    await browser?.close()
    await homeport?.dispose()
    home?.close()
  })

  const visible = (text: string | RegExp) => page.getByText(text).filter({ visible: true }).first()
  const press = (name: string | RegExp) =>
    page.getByRole('button', { name }).filter({ visible: true }).first().click()
  const addressOf = (name: string, path = '/') => `http://${name}.localhost:${homeport.port}${path}`

  it('sends a stranger to sign in, and tells that nobody set this service up yet', async () => {
    await page.goto(homeport.url)
    await page.waitForURL(/#\/login/)
    await visible('登录归港').waitFor()
    expect(await page.title()).toBe('归港 - 登录')
    await keepScreenshots(page, '01-login')
  })

  it('makes the administrator by the one-time link, which leaves the address bar', async () => {
    const [link] = await homeport.waitFor(/http\S+#\/setup\?code=[\w-]+/)
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByLabel('密码', { exact: true }).fill('correct horse battery')
    await page.getByLabel('确认密码').fill('correct horse battery')
    expect(page.url()).not.toContain('code=')
    await keepScreenshots(page, '02-setup')
    await press('创建管理员并登录')
    await page.waitForURL(/#\/devices$/)
    await visible('还没有设备').waitFor()
    expect(await page.title()).toBe('归港 - 我的设备')
    await keepScreenshots(page, '03-devices-empty')
  })

  it('adds a device with the command that the wizard shows; its card is online within 2 s', async () => {
    await press('添加设备')
    await page.getByLabel('设备名称（可不填）').fill('书房')
    const command = page.locator('code, pre').filter({ hasText: '--token' }).first()
    await command.waitFor()
    await keepScreenshots(page, '04-wizard')
    const words = splitCommand((await command.textContent()) ?? '')
    expect(words.slice(0, 5)).toEqual(['npm', 'exec', '--', 'homeport', 'agent'])
    const own = words
      .slice(5)
      .filter((word, i, all) => word !== '--data' && all[i - 1] !== '--data')
    const agent = homeport.startAgent(own)
    await agent.waitFor(/"linked"/)
    const linkedAt = performance.now()
    await visible(/书房.*(上线|加入|已)/).waitFor({ timeout: 2000 })
    expect(performance.now() - linkedAt).toBeLessThan(2000)
    await keepScreenshots(page, '05-wizard-joined')
    await page.getByRole('button', { name: '完成' }).first().click()
    await page.getByText('在线').first().waitFor()
    await keepScreenshots(page, '06-devices')
  })

  it('publishes a page of the home', async () => {
    await page.getByRole('link', { name: /书房/ }).first().click()
    await page.waitForURL(/#\/devices\/\d+\/records/)
    await visible('还没有外网域名').waitFor()
    await keepScreenshots(page, '07-records-empty')
    await press('添加外网域名')
    await page.getByLabel('名字', { exact: true }).fill('nas')
    await page.getByLabel('主机', { exact: true }).fill(`127.0.0.1`)
    await page
      .getByLabel('端口', { exact: true })
      .fill(String((home.address() as AddressInfo).port))
    await keepScreenshots(page, '08-record-drawer')
    await page.getByRole('button', { name: /^添 ?加$/ }).click()
    await visible('外网域名已生效').waitFor()
    await keepScreenshots(page, '09-record-saved')
  })

  it('opens it through the tunnel, by the gate and back; once in, within a second', async () => {
    const tab = await owner.newPage()
    const asked = performance.now()
    await tab.goto(addressOf('nas', '/photos?year=2026'))
    await tab.getByRole('heading', { name: '书房 NAS' }).waitFor({ timeout: 10_000 })
    const ms = performance.now() - asked
    expect(tab.url()).toBe(addressOf('nas', '/photos?year=2026'))
    expect(await tab.locator('p').textContent()).toBe('/photos?year=2026')
    expect(ms).toBeLessThan(3000)
    const warm = performance.now()
    await tab.reload()
    await tab.getByRole('heading', { name: '书房 NAS' }).waitFor()
    expect(performance.now() - warm).toBeLessThan(1000)
    await tab.close()
  })

  it('checks the connection in five steps', async () => {
    await page.getByRole('button', { name: /^完 ?成$/ }).click()
    await page
      .getByRole('button', { name: /检查连接/ })
      .first()
      .click()
    await visible('一切正常').waitFor()
    await keepScreenshots(page, '10-connection-check')
    await page.keyboard.press('Escape')
  })

  it('lets a stranger in nowhere: signed out to the login page, and back after signing in', async () => {
    const stranger = await openProfile(browser)
    const tab = await stranger.newPage()
    await tab.goto(addressOf('nas', '/secret'))
    await tab.waitForURL(/localhost:\d+\/#\/login\?/)
    expect(tab.url()).toContain(`url=${encodeURIComponent(addressOf('nas', '/secret'))}`)
    await keepScreenshots(tab, '11-stranger-login')
    await tab.getByLabel('用户名或邮箱').fill('admin')
    await tab.getByLabel('密码', { exact: true }).fill('correct horse battery')
    await tab.getByRole('checkbox').check()
    await tab.getByRole('button', { name: /^登 ?录$/ }).click()
    await tab.getByRole('heading', { name: '书房 NAS' }).waitFor()
    expect(tab.url()).toBe(addressOf('nas', '/secret'))
    await stranger.close()
  })

  it('tells another user why the name does not open', async () => {
    await page.goto(`${homeport.url}/#/staff/invites`)
    await press('创建邀请链接')
    await page.getByLabel('备注').fill('邻居')
    await page.getByRole('button', { name: /^创 ?建$/ }).click()
    const link = await page.getByRole('textbox', { name: '邀请链接' }).inputValue()
    expect(link).toMatch(/#\/login\?invite=[\w-]+$/)
    await keepScreenshots(page, '12-invite')
    const other = await openProfile(browser)
    const tab = await other.newPage()
    await tab.goto(link)
    await tab.getByLabel('用户名').fill('linju')
    await tab.getByLabel('密码', { exact: true }).fill('another long password')
    await tab.getByLabel('确认密码').fill('another long password')
    await tab.getByRole('checkbox').check()
    await keepScreenshots(tab, '13-sign-up')
    await tab.getByRole('button', { name: /注 ?册/ }).click()
    await tab.waitForURL(/#\/devices$/)
    await tab.goto(addressOf('nas'))
    await tab.waitForURL(/#\/errorport\?invalidDomain=nas\.localhost/)
    await tab.getByText('您没有访问权限').first().waitFor()
    expect(await tab.title()).toBe('归港 - 访问错误')
    await keepScreenshots(tab, '14-errorport')
    await other.close()
  })

  it('shows the offline page when the agent is gone', async () => {
    await homeport.stopAgents()
    const tab = await owner.newPage()
    const answer = await tab.goto(addressOf('nas'))
    expect(answer?.status()).toBe(503)
    await tab.getByText('device_offline').waitFor()
    await keepScreenshots(tab, '15-device-offline')
    await tab.close()
  })

  it('broke nothing on the way', () => expect(faults).toEqual([]))
})
