import { once } from 'node:events'
import { createServer } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { listRouters, type RecordRow } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, startBrowser, viewports } from './support/browser.ts'
import { addUser, buttonIn, openSignedIn } from './support/console.ts'
import { freePort, type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

// 外网域名 of one device; the stories stand on each other.

let homeport: Homeport
let browser: Browser
let owner: Account
let context: BrowserContext
let page: Page
let device: number
let homePort: number
const home = createServer((_, response) => response.end('home'))
const echo = net.createServer(socket => socket.pipe(socket))

beforeAll(async () => {
  home.listen(0, '127.0.0.1')
  echo.listen(0, '127.0.0.1')
  await Promise.all([once(home, 'listening'), once(echo, 'listening')])
  homePort = (home.address() as AddressInfo).port
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
  device = (await addDevice(homeport, owner, 'records')).id
  const neighbour = await addUser(homeport, owner, {
    username: 'linju',
    password: 'a long password',
  })
  const other = await addDevice(homeport, neighbour, 'other')
  await publish(neighbour, other.id, { name: 'taken', target: 'http://127.0.0.1:1' })
  context = await openSignedIn(browser, homeport, owner)
  page = await context.newPage()
  await page.goto(`${homeport.url}/#/devices/${device}/records`)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  home.close()
  echo.close()
})

const records = async (): Promise<RecordRow[]> =>
  (await owner.client.call(listRouters, {})).results.flatMap(row => row.records)
const field = (name: string) => page.getByLabel(name, { exact: true })
const button = (words: string) => buttonIn(page, words)
const drawer = () => page.getByRole('dialog', { name: /^(添加|编辑)外网域名$/ })
const statusOf = async (name: string) =>
  (await visit(`http://${name}.localhost:${homeport.port}/`)).status

/** The complaint that a screen reader reads with a field. */
const complaintOf = (name: string) =>
  field(name).evaluate(element =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map(id => document.getElementById(id)?.textContent ?? '')
      .join(''),
  )

describe('a new name', () => {
  it('is refused field by field before anything is sent', async () => {
    await button('添加外网域名').click()
    await field('名字').fill('www')
    await buttonIn(drawer(), '添加').click()
    await expect.poll(() => complaintOf('名字')).toBe('这个名字被系统保留，请换一个')
    await expect.poll(() => complaintOf('主机')).toBe('请填写家里的地址')
    await keepScreenshots(page, '45-record-problems')
    await field('名字').fill('-nas-')
    await field('主机').fill('nas lan')
    await buttonIn(drawer(), '添加').click()
    await expect.poll(() => complaintOf('名字')).toMatch(/^只能用小写字母/)
    await expect.poll(() => complaintOf('主机')).toBe('不是有效的主机名或 IP 地址')
    expect(await records()).toEqual([])
  })

  it('that is taken is said at its field, and nothing that was typed is lost', async () => {
    await field('名字').fill('Taken')
    await field('主机').fill('127.0.0.1')
    await field('端口').fill(String(homePort))
    await field('备注').fill('客厅')
    await buttonIn(drawer(), '添加').click()
    await expect.poll(() => complaintOf('名字')).toBe('这个名字已被使用或被保留，请换一个')
    const typed = ['名字', '主机', '端口', '备注'].map(name => field(name).inputValue())
    expect(await Promise.all(typed)).toEqual(['taken', '127.0.0.1', String(homePort), '客厅'])
    expect(await field('名字').evaluate(element => element === document.activeElement)).toBe(true)
    await keepScreenshots(page, '46-record-taken')
  })

  it('keeps what was typed over a broken connection', async () => {
    await field('名字').fill('living')
    await page.route('**/api/user/records/', route => route.abort())
    await buttonIn(drawer(), '添加').click()
    await page.getByText('没能保存').waitFor()
    await page.unroute('**/api/user/records/')
    expect(await field('备注').inputValue()).toBe('客厅')
    await keepScreenshots(page, '47-record-network')
  })

  it('is given up only knowingly', async () => {
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: '放弃已填写的内容？' })
    await buttonIn(question, '继续填写').click()
    await question.waitFor({ state: 'hidden' })
    expect(await field('名字').inputValue()).toBe('living')
  })

  it('opens to everybody only after a second confirmation', async () => {
    await page.getByRole('radio', { name: /^公开/ }).check()
    await buttonIn(drawer(), '添加').click()
    const question = page.getByRole('dialog', { name: '公开“living”？' })
    await question.getByText('不需要登录').waitFor()
    await keepScreenshots(page, '48-record-public')
    await buttonIn(question, '再想想').click()
    await question.waitFor({ state: 'hidden' })
    expect(await records()).toEqual([])
    await buttonIn(drawer(), '添加').click()
    await buttonIn(question, '确认公开').click()
    await page.getByText('外网域名已生效').waitFor()
    expect(await statusOf('living')).toBe(200)
    await button('完成').click()
    await page.getByRole('row', { name: /living/ }).waitFor()
    expect((await records())[0]).toMatchObject({
      name: 'living',
      access: ['public'],
      remark: '客厅',
    })
  })
})

describe('a name that exists', () => {
  it('is changed: its label moves, its old one leads nowhere', async () => {
    await button('编辑 living').click()
    await field('名字').fill('salon')
    await field('备注').fill('起居室')
    await buttonIn(drawer(), '保存').click()
    await page.getByText('修改已生效').waitFor()
    await button('完成').click()
    await page.getByText('起居室').waitFor()
    await expect.poll(() => statusOf('salon')).toBe(200)
    await expect.poll(() => statusOf('living')).toBe(404)
    await keepScreenshots(page, '49-records')
  })

  it('is switched off and on', async () => {
    const toggle = page.getByRole('switch', { name: '启用 salon' })
    await toggle.click()
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('false')
    await expect.poll(() => statusOf('salon')).toBe(404)
    await toggle.click()
    await expect.poll(() => statusOf('salon')).toBe(200)
  })

  it.each([
    ['desktop', 'row'],
    ['phone', 'listitem'],
  ] as const)('goes back where a switch is refused, and says why on a %s', async (name, role) => {
    await page.setViewportSize(viewports[name])
    const toggle = page.getByRole('switch', { name: '启用 salon' })
    await page.route('**/api/user/records/*/', route => route.abort())
    await toggle.click()
    // Inside its row, where it covers nothing.
    const complaint = page.getByRole(role).filter({ has: toggle }).getByRole('alert')
    await complaint.getByText('没能切换“salon”').waitFor()
    await expect.poll(() => toggle.getAttribute('aria-checked')).toBe('true')
    await page.unroute('**/api/user/records/*/')
    expect((await records())[0]?.enabled).toBe(true)
    await toggle.click()
    await complaint.waitFor({ state: 'detached' })
    await expect.poll(() => statusOf('salon')).toBe(404)
    await toggle.click()
    await expect.poll(() => statusOf('salon')).toBe(200)
    await page.setViewportSize(viewports.desktop)
  })

  it('tells by a check which step fails, with a hint', async () => {
    await publish(owner, device, { name: 'dead', target: `http://127.0.0.1:${await freePort()}` })
    await button('检查连接 dead').click()
    const dialog = page.getByRole('dialog', { name: '检查连接：dead' })
    await dialog.getByText('连接有问题').waitFor()
    const steps = await dialog.getByRole('listitem').allTextContents()
    expect(steps).toHaveLength(5)
    expect(steps.map(text => /正常|失败|没有检查到/.exec(text)?.[0])).toEqual([
      '正常',
      '正常',
      '正常',
      '失败',
      '没有检查到',
    ])
    // What is beyond "家里的目标失败 · 3 毫秒" is the hint.
    expect(steps[3]?.length).toBeGreaterThan(25)
    await keepScreenshots(page, '50-check-failed')
    await buttonIn(dialog, '关闭').last().click()
    await dialog.waitFor({ state: 'hidden' })
  })

  it('is deleted after a question', async () => {
    await button('删除 salon').click()
    const question = page.getByRole('dialog', { name: '删除“salon”？' })
    await buttonIn(question, '取消').click()
    await question.waitFor({ state: 'hidden' })
    expect(await records()).toHaveLength(2)
    await button('删除 salon').click()
    await keepScreenshots(page, '51-record-delete')
    await buttonIn(question, '删除').click()
    await page.getByRole('row', { name: /salon/ }).waitFor({ state: 'detached' })
    expect((await records()).map(({ name }) => name)).toEqual(['dead'])
    await expect.poll(() => statusOf('salon')).toBe(404)
  })
})

describe('a TCP port', () => {
  it('is made with a port of the pool, which is shown and works', async () => {
    await button('添加外网域名').click()
    await page.getByRole('radio', { name: /TCP/ }).check()
    await field('名字').fill('echo')
    await field('主机').fill('127.0.0.1')
    await field('端口').fill(String((echo.address() as AddressInfo).port))
    await buttonIn(drawer(), '添加').click()
    await button('确认公开').click()
    await page.getByText('外网域名已生效').waitFor()
    const record = (await records()).find(({ name }) => name === 'echo')
    const port = record?.port ?? 0
    expect(port).toBeGreaterThanOrEqual(20_000)
    await page.getByText(`tcp://echo.localhost:${port}`).waitFor()
    await keepScreenshots(page, '52-tcp-saved')
    await button('完成').click()
    await page.getByRole('row', { name: new RegExp(`echo\\.localhost:${port}`) }).waitFor()
    const socket = net.connect(port, '127.0.0.1')
    socket.write('hello')
    const [data] = await once(socket, 'data')
    socket.destroy()
    expect(String(data)).toBe('hello')
  })

  it('has the same actions on a phone', async () => {
    await page.setViewportSize(viewports.phone)
    await button('检查连接').first().waitFor()
    expect(await page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(360)
    await page.setViewportSize(viewports.desktop)
  })
})
