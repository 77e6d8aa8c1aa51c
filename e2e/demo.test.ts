import { createHash, randomBytes } from 'node:crypto'
import { listRouters } from '@homeport/contract'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { administrator, setUpAdministrator } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser } from './support/browser.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

describe('the sample home of --demo', () => {
  let homeport: Homeport
  let browser: Browser
  let page: Page
  const startedAt = performance.now()
  const addressOf = (name: string) => `http://${name}.localhost:${homeport.port}/`

  beforeAll(async () => {
    homeport = await startHomeport(['--demo'])
    browser = await startBrowser()
    page = await (await openProfile(browser)).newPage()
  })

  afterAll(async () => {
    await browser?.close()
    await homeport?.dispose()
  })

  it('is online as soon as there is an administrator, and shows a page within a minute', async () => {
    const account = await setUpAdministrator(homeport)
    await vi.waitFor(
      async () => {
        const { results } = await account.client.call(listRouters, { query: {} })
        expect(results.map(device => [device.name, device.status])).toEqual([
          ['示例之家', 'online'],
        ])
        expect(results[0]?.records.map(record => record.name).sort()).toEqual([
          'echo',
          'hello',
          'upload',
        ])
      },
      { timeout: 5000, interval: 50 },
    )
    await page.goto(addressOf('hello'))
    await page.getByRole('heading', { name: '您好，这里是示例之家' }).waitFor()
    expect(performance.now() - startedAt).toBeLessThan(60_000)
    await keepScreenshots(page, '40-demo-hello')
  })

  it('echoes over a WebSocket for its owner', async () => {
    await page.goto(addressOf('echo'))
    await page.waitForURL(/#\/login\?url=/)
    await page.getByLabel('用户名或邮箱').fill(administrator.username)
    await page.getByLabel('密码', { exact: true }).fill(administrator.password)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: /^登 ?录$/ }).click()
    await page.getByText('已连接').waitFor()
    await page.getByRole('button', { name: '发送' }).click()
    await page.getByText(/收到：你好（往返 \d+ 毫秒）/).waitFor()
    await keepScreenshots(page, '41-demo-echo')
  })

  it('takes an upload and proves it by its hash', async () => {
    const file = randomBytes(3 * 1024 * 1024)
    await page.goto(addressOf('upload'))
    await page
      .getByLabel('要上传的文件')
      .setInputFiles({ name: 'photo.raw', mimeType: 'application/octet-stream', buffer: file })
    await page.getByRole('button', { name: '上传', exact: true }).click()
    await page.getByText(createHash('sha256').update(file).digest('hex')).waitFor()
    expect(await page.getByText(`收到 ${file.length} 字节`).count()).toBe(1)
    await keepScreenshots(page, '42-demo-upload')
  })

  it('keeps its device over a restart', async () => {
    const { folder, port } = homeport
    await homeport.stop()
    homeport = await startHomeport(['--demo'], { folder, port })
    await vi.waitFor(async () => expect((await visit(addressOf('hello'))).status).toBe(200), {
      timeout: 10_000,
      interval: 50,
    })
  })
})
