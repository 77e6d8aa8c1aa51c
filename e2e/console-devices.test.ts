import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listRouters } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, startBrowser } from './support/browser.ts'
import { buttonIn, openSignedIn } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

// 我的设备 and a device's page; the stories of one device stand on each other.

let homeport: Homeport
let browser: Browser
let owner: Account
let context: BrowserContext
let page: Page
let device: number
let url: string
const home = createServer((_, response) => response.end('home'))

beforeAll(async () => {
  home.listen(0, '127.0.0.1')
  await once(home, 'listening')
  homeport = await startHomeport()
  browser = await startBrowser()
  owner = await setUpAdministrator(homeport)
  device = (await addDevice(homeport, owner, 'bravo')).id
  await addDevice(homeport, owner, 'alpha')
  const target = `http://127.0.0.1:${(home.address() as AddressInfo).port}`
  url = (await publish(owner, device, { name: 'bravo-web', target })).url
  context = await openSignedIn(browser, homeport, owner)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  home.close()
})

const open = (path: string) => page.goto(`${homeport.url}/#${path}`)
const button = (words: string) => buttonIn(page, words)
const names = () => page.getByRole('article').getByRole('heading').allTextContents()
const listed = async () => (await owner.client.call(listRouters, {})).results.map(row => row.name)

describe('the wizard', () => {
  const command = () => page.getByRole('figure', { name: '要运行的命令' }).locator('code')
  const readCommand = async () => (await command().textContent()) ?? ''
  beforeEach(async () => {
    await page.goto('about:blank')
    await open('/devices?add=1')
    await command().waitFor()
  })

  it('copies the command as it stands', async () => {
    await page.getByLabel('设备名称（可不填）').fill("妈妈's NAS")
    await expect.poll(readCommand).toContain("--name '妈妈'\\''s NAS'")
    const text = await readCommand()
    expect(text).toMatch(/^npm exec -- homeport agent --server http:\/\/localhost:\d+ --token \S+/)
    await button('复制').click()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text)
  })

  it('takes a fresh token on demand; the command follows', async () => {
    const readToken = async () => /--token (\S+)/.exec(await readCommand())?.[1]
    const before = await readToken()
    // What the foot says in the moment the new token stands there; never more than the ten minutes it lives.
    const foot = page.evaluate(
      token =>
        new Promise<string>(resolve => {
          const look = () => {
            const text = document.querySelector('figure code')?.textContent ?? ''
            if (!text.includes('--token') || text.includes(token)) return
            observer.disconnect()
            resolve(document.querySelector('[role=dialog]')?.textContent ?? '')
          }
          const observer = new MutationObserver(look)
          observer.observe(document.body, { childList: true, subtree: true, characterData: true })
        }),
      before ?? '',
    )
    await button('换一个新令牌').click()
    await expect.poll(readToken).not.toBe(before)
    expect(await foot).toMatch(/令牌只能用一次，(10:00|9:5\d) 后过期/)
    await page.getByText(/令牌只能用一次，(10:00|9:\d\d) 后过期/).waitFor()
  })

  it('draws the command as a QR code', async () => {
    await page.getByText('在手机终端里运行').click()
    const canvas = page.getByRole('img', { name: '命令的二维码' })
    await canvas.waitFor()
    const readDark = () =>
      canvas.evaluate(element => {
        const { width, height } = element as HTMLCanvasElement
        const pixels = (element as HTMLCanvasElement)
          .getContext('2d')
          ?.getImageData(0, 0, width, height).data
        return pixels?.filter((value, i) => i % 4 === 0 && value < 128).length ?? 0
      })
    await expect.poll(readDark).toBeGreaterThan(1000)
    // All of it above the bar at the drawer's foot.
    const bar = page.getByRole('status').filter({ hasText: '等待设备上线' })
    const readRoom = async () => {
      const [code, foot] = [await canvas.boundingBox(), await bar.boundingBox()]
      return code === null || foot === null ? -1 : foot.y - (code.y + code.height)
    }
    await expect.poll(readRoom).toBeGreaterThanOrEqual(0)
    await keepScreenshots(page, '30-wizard-qr')
  })

  it('says that a QR code cannot be shown, and logs why', async () => {
    const tab = await context.newPage()
    const logged: string[] = []
    tab.on('console', message => {
      if (message.type() === 'error') logged.push(message.text())
    })
    await tab.addInitScript(() => {
      HTMLCanvasElement.prototype.getContext = () => null
    })
    await tab.goto(`${homeport.url}/#/devices?add=1`)
    await tab.getByText('在手机终端里运行').click()
    await tab.getByText('二维码无法显示').waitFor()
    expect(logged.filter(text => text.startsWith('QR code'))).not.toEqual([])
    await tab.close()
  })

  it('offers other systems, says what is not there yet, and keeps what was chosen', async () => {
    await page.getByLabel('设备名称（可不填）').fill('nas')
    await page.getByRole('radio', { name: 'Windows' }).check()
    await expect.poll(readCommand).toMatch(/^npm\.cmd exec /)
    await page.getByRole('radio', { name: '不带令牌' }).check()
    await expect.poll(readCommand).not.toContain('--token')
    await page.getByRole('radio', { name: /Docker/ }).check()
    await page.getByText('还没有现成的 Docker 镜像').waitFor()
    await button('改用命令方式').click()
    await expect.poll(readCommand).toMatch(/^npm exec /)
    expect(await readCommand()).toMatch(/--name nas$/)
    expect(await readCommand()).not.toContain('--token')
  })

  it('leaves no trace in the address when it is closed', async () => {
    await page.keyboard.press('Escape')
    await page.waitForURL(`${homeport.url}/#/devices`)
    expect(await names()).toEqual(['alpha', 'bravo'])
  })
})

describe('the list', () => {
  it('stands in 30 animated rows until it comes', async () => {
    const tab = await context.newPage()
    const held = Promise.withResolvers<void>()
    await tab.route('**/api/user/routers/*', async route => {
      await held.promise
      await route.continue()
    })
    await tab.goto(`${homeport.url}/#/devices`)
    const placeholder = tab.getByRole('main').getByRole('status', { name: '正在加载…' })
    await placeholder.waitFor()
    expect(await placeholder.locator('.ant-skeleton-active li').count()).toBe(30)
    held.resolve()
    await tab.getByRole('article').first().waitFor()
    await placeholder.waitFor({ state: 'detached' })
    await tab.close()
  })

  it('searches as one types and keeps it in the address', async () => {
    await open('/devices')
    await page.getByRole('searchbox', { name: '搜索设备' }).fill('bravo-web')
    await page.waitForURL(/\?q=bravo-web$/)
    await expect.poll(names).toEqual(['bravo'])
    await page.reload()
    await expect.poll(names).toEqual(['bravo'])
    await page.getByRole('searchbox', { name: '搜索设备' }).fill('zulu')
    await page.getByRole('heading', { name: '没有符合“zulu”的设备' }).waitFor()
    await keepScreenshots(page, '31-devices-no-match')
    await button('清除搜索').click()
    await page.waitForURL(`${homeport.url}/#/devices`)
    await expect.poll(names).toEqual(['alpha', 'bravo'])
  })

  it('sorts and keeps it in the address', async () => {
    await page.getByRole('combobox', { name: '排序' }).click()
    await page.getByTitle('最近添加').click()
    await page.waitForURL(/\?sort=created$/)
    await expect.poll(names).toEqual(['alpha', 'bravo'])
    await page.reload()
    await page.getByText('最近添加').waitFor()
    await keepScreenshots(page, '32-devices-sorted')
  })

  it('says so when it does not load, and loads again', async () => {
    await page.route('**/api/user/routers/*', route => route.fulfill({ status: 404, body: '' }))
    await page.reload()
    await page.getByRole('heading', { name: '设备列表没能加载' }).waitFor()
    await keepScreenshots(page, '33-devices-failed')
    await page.unroute('**/api/user/routers/*')
    await button('重试').click()
    await expect.poll(names).toEqual(['alpha', 'bravo'])
  })
})

describe('the details of a device', () => {
  it('renames it, and refuses an empty name at its field', async () => {
    await open(`/devices/${device}/facts`)
    await page.getByLabel('名称', { exact: true }).fill(' ')
    await button('保存').click()
    await page.getByText('请给设备起个名字').waitFor()
    await page.getByLabel('名称', { exact: true }).fill('书房的 NAS')
    await page.getByLabel('备注').fill('插在路由器旁边')
    await button('保存').click()
    await page.getByRole('heading', { level: 1, name: '书房的 NAS' }).waitFor()
    expect(await listed()).toContain('书房的 NAS')
    await keepScreenshots(page, '34-device-facts')
  })

  it('pauses it: its name tells so at once, and opens after resuming', async () => {
    expect((await visit(url)).status).toBe(200)
    await button('暂停').click()
    await page.getByText('这台设备已暂停').waitFor()
    await keepScreenshots(page, '35-device-paused')
    const tab = await context.newPage()
    const answer = await tab.goto(url)
    expect(answer?.status()).toBe(503)
    await tab.getByText('device_paused').waitFor()
    await keepScreenshots(tab, '36-paused-page')
    await button('恢复').first().click()
    await page.getByText('这台设备已暂停').waitFor({ state: 'detached' })
    await expect.poll(async () => (await visit(url)).status).toBe(200)
    await tab.close()
  })

  it('shows the lines with a latency measured by this browser', async () => {
    await page.getByRole('tab', { name: '线路' }).click()
    await page.getByText('当前使用').waitFor()
    await page.getByText(/\d+ 毫秒/).waitFor()
    await keepScreenshots(page, '37-device-servers')
  })

  it('deletes it only once its name was typed', async () => {
    await page.getByRole('tab', { name: '详情' }).click()
    await button('删除设备').click()
    const dialog = page.getByRole('dialog', { name: '删除“书房的 NAS”？' })
    await dialog.getByText('bravo-web').waitFor()
    const confirm = buttonIn(dialog, '删除这台设备')
    expect(await confirm.isDisabled()).toBe(true)
    await dialog.getByRole('textbox').fill('书房的')
    await page.keyboard.press('Enter')
    expect(await confirm.isDisabled()).toBe(true)
    await keepScreenshots(page, '38-device-delete')
    await dialog.getByRole('textbox').fill('书房的 NAS')
    await confirm.click()
    await page.waitForURL(`${homeport.url}/#/devices`)
    await expect.poll(names).toEqual(['alpha'])
    expect(await listed()).toEqual(['alpha'])
    await expect.poll(async () => (await visit(url)).status).toBe(404)
  })

  it('is not there any more under its address', async () => {
    await open(`/devices/${device}/facts`)
    await page.getByRole('heading', { name: '没有这台设备' }).waitFor()
    await keepScreenshots(page, '39-device-missing')
  })
})

describe('a device without a token', () => {
  it('is bound by the link that it prints, once', async () => {
    const agent = homeport.startAgent(['--server', homeport.url, '--name', 'shed'])
    const [link] = await agent.waitFor(/http\S+#\/bind\?pairing=\S+/)
    await page.goto(link)
    await page.getByRole('heading', { name: '这是您的设备吗？' }).waitFor()
    await page.getByText('shed', { exact: true }).waitFor()
    await keepScreenshots(page, '43-bind')
    await button('绑定到我的账号').click()
    await page.getByRole('heading', { name: '“shed”已绑定' }).waitFor()
    await agent.waitFor(/linked/)
    await keepScreenshots(page, '44-bound')
    await button('查看设备').click()
    await page.getByRole('heading', { level: 1, name: 'shed' }).waitFor()
    await page.getByText('在线', { exact: true }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: '这台设备已经绑定' }).waitFor()
  })

  it('that is none of ours stays unbound', async () => {
    const agent = homeport.startAgent(['--server', homeport.url, '--name', 'stranger'])
    const [link] = await agent.waitFor(/http\S+#\/bind\?pairing=\S+/)
    await page.goto(link)
    await button('不是我的设备').click()
    await page.getByRole('heading', { name: '没有绑定' }).waitFor()
    expect(await listed()).not.toContain('stranger')
  })

  it.each([
    ['', '链接不完整'],
    ['?pairing=no', '链接不完整'],
    [`?pairing=${'A'.repeat(22)}`, '请求不存在或已过期'],
  ])('a link that ends with "%s" is told apart', async (query, heading) => {
    await open(`/bind${query}`)
    await page.getByRole('heading', { name: heading }).waitFor()
  })
})
