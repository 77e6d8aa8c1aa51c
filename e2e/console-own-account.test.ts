import { readFile } from 'node:fs/promises'
import { getLoginStatus, getProfile, ownDataSchema, signToken } from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, addDevice, publish, setUpAdministrator, signIn } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { addUser, buttonIn, noMisdeeds, openSignedIn, openWatched } from './support/console.ts'
import { type Home, startHome } from './support/home.ts'
import { type Homeport, startHomeport } from './support/processes.ts'
import { visit } from './support/visitor.ts'

// The own account as a whole: what it is signed in from, a copy of its data, leaving it and coming back. One story.

let home: Home
let homeport: Homeport
let browser: Browser
let owner: Account
let context: BrowserContext
let page: Page
const user = { username: 'zhuzhai', password: 'a long password' }

beforeAll(async () => {
  home = await startHome()
  homeport = await startHomeport()
  browser = await startBrowser()
  const staff = await setUpAdministrator(homeport)
  owner = await addUser(homeport, staff, user)
  const { id } = await addDevice(homeport, owner, 'nas')
  await publish(owner, id, { name: 'nas', target: home.target })
  context = await openSignedIn(browser, homeport, owner)
  page = await context.newPage()
  await page.goto(`${homeport.url}/#/user/info`)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
  home?.close()
})

const isSignedIn = async (account: Account) =>
  (await account.client.call(getLoginStatus, {})).logged_in
const visitHome = () => visit(`http://nas.localhost:${homeport.port}/`)
const isOpen = async () => (await visitHome()).status === 200

/** A signed-out tab of its own on which name and password were sent. */
async function showPassword(search = '') {
  const profile = await openProfile(browser)
  profile.setDefaultTimeout(30_000)
  const tab = await profile.newPage()
  await tab.goto(`${homeport.url}/#/login${search}`)
  await tab.getByLabel('密码', { exact: true }).fill(user.password)
  await tab.getByRole('textbox').first().fill(user.username)
  await tab.getByRole('checkbox').check()
  await tab.keyboard.press('Enter')
  return { tab, profile }
}

it('judges a new password as the server does, before anything is sent', async () => {
  const field = page.getByLabel('新密码', { exact: true })
  await field.fill('woaini1314')
  await page.getByText('较弱：容易被猜到').waitFor()
  await page.getByLabel('当前密码').fill(user.password)
  await page.getByLabel('再次填写新密码').fill('woaini1314')
  await buttonIn(page, '修改密码').click()
  await page.getByText('太容易被猜到').waitFor()
  await field.fill('zhuzhai2026')
  await page.getByText('较弱：容易被猜到').waitFor()
  await field.fill('correct horse battery')
  await page.getByRole('status').filter({ hasText: /强$/ }).waitFor()
  expect(await isSignedIn(await signIn(homeport, user))).toBe(true)
})

it('leads to each section, by mouse and by keyboard, also on a phone', async () => {
  await page.reload()
  const nav = page.getByRole('navigation', { name: '本页内容' })
  await nav.getByRole('button', { name: '注销账号' }).click()
  const heading = page.getByRole('heading', { name: '注销账号' })
  expect(await heading.evaluate(element => element === document.activeElement)).toBe(true)
  await page.setViewportSize(viewports.phone)
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBe(viewports.phone.width)
  await page.setViewportSize(viewports.desktop)
  await keepScreenshots(page, '90-account-end')
  await page.evaluate(() => window.scrollTo(0, 0))
  await keepScreenshots(page, '91-account-top')
})

it('ends every other session after asking', async () => {
  const others = [await signIn(homeport, user), await signIn(homeport, user)]
  await page.reload()
  await page.getByText('注册时登录').waitFor()
  expect(await page.getByText('密码登录').count()).toBe(3)
  await buttonIn(page, '退出其他全部登录').click()
  const dialog = page.getByRole('dialog', { name: '退出其他全部登录？' })
  await dialog.getByText('另外 3 个浏览器需要重新登录').waitFor()
  await keepScreenshots(page, '92-end-others')
  expect(await isSignedIn(others[0] as Account)).toBe(true)
  await buttonIn(dialog, '全部退出').click()
  await page.getByText('没有其他登录').waitFor()
  expect(await Promise.all(others.map(isSignedIn))).toEqual([false, false])
  expect(await isSignedIn(owner)).toBe(true)
})

it('says what a new token breaks before it makes one', async () => {
  await owner.client.call(signToken, {})
  await buttonIn(page, '重置令牌').click()
  const dialog = page.getByRole('dialog', { name: '重置令牌？' })
  await dialog.getByText('现在有 1 个').waitFor()
  await dialog.getByText('（1 台）').waitFor()
  await keepScreenshots(page, '93-token-reset')
  await buttonIn(dialog, '取消').click()
  await dialog.waitFor({ state: 'hidden' })
})

it('accepts the terms of payment, and tells version and day', async () => {
  expect(await page.getByText(/^\d{4}-\d\d-\d\d 版，/).count()).toBe(1)
  await buttonIn(page, '同意').click()
  await expect.poll(() => page.getByText(/^\d{4}-\d\d-\d\d 版，/).count()).toBe(2)
  const [profile] = await owner.client.call(getProfile, {})
  expect(profile?.accepted_terms_of_payment).toBe(true)
})

it('takes a copy of the data as a file', async () => {
  const arriving = page.waitForEvent('download')
  await buttonIn(page, '导出').click()
  const download = await arriving
  expect(download.suggestedFilename()).toMatch(/^homeport-\d{4}-\d\d-\d\d\.json$/)
  const text = await readFile(await download.path(), 'utf8')
  const data = ownDataSchema.parse(JSON.parse(text))
  expect(data.profile.username).toBe(user.username)
  expect(data.devices.map(({ name }) => name)).toEqual(['nas'])
  expect(data.records.map(({ name }) => name)).toEqual(['nas'])
  const [profile] = await owner.client.call(getProfile, {})
  expect(text).not.toContain(profile?.token)
  await page.getByText('文件已保存').waitFor()
})

describe('leaving', () => {
  it('needs the own name, says what goes, and switches all off', async () => {
    expect(await isOpen()).toBe(true)
    await buttonIn(page, '注销账号…').click()
    const dialog = page.getByRole('dialog', { name: '注销账号？' })
    await dialog.getByText('1 台设备断开').waitFor()
    await dialog.getByText('1 个外网域名停用').waitFor()
    await dialog.getByLabel(/^输入用户名/).fill('somebody')
    await buttonIn(dialog, '注销账号').click()
    await dialog.getByText('与您的用户名不一致').waitFor()
    await keepScreenshots(page, '94-leave')
    expect(await isOpen()).toBe(true)
    await dialog.getByLabel(/^输入用户名/).fill(user.username)
    await buttonIn(dialog, '注销账号').click()
    await page.getByRole('heading', { name: '账号已停用' }).waitFor()
    await keepScreenshots(page, '95-gone')
    expect(await isSignedIn(owner)).toBe(false)
    await expect.poll(async () => (await visitHome()).status).toBe(404)
    await page.goto(`${homeport.url}/#/devices`)
    await page.waitForURL(/#\/login/)
  })

  it('shows whoever signs in one question, and stays as it is where that is left', async () => {
    const { tab, profile } = await showPassword()
    await tab.getByRole('heading', { name: '这个账号正在注销' }).waitFor()
    await tab.getByText(user.username).waitFor()
    await keepScreenshots(tab, '96-restore')
    expect((await profile.cookies(homeport.url)).some(({ name }) => name === 'hp_session')).toBe(
      false,
    )
    await tab.getByText('保持注销').click()
    await tab.waitForURL(/#\/login/)
    await tab.goto(`${homeport.url}/#/devices`)
    await tab.waitForURL(/#\/login/)
    expect(await isOpen()).toBe(false)
    await profile.close()
  })

  it('has nothing to ask a browser in which nobody signed in', async () => {
    const profile = await openProfile(browser)
    const tab = await profile.newPage()
    await tab.goto(`${homeport.url}/#/restore`)
    await tab.getByText('已经过了恢复的时限，请重新登录').waitFor()
    await keepScreenshots(tab, '97-restore-over')
    await profile.close()
  })

  it('is undone in one tab of two, and everything is as before', async () => {
    const { tab, profile } = await showPassword()
    await tab.getByRole('heading', { name: '这个账号正在注销' }).waitFor()
    const second = await profile.newPage()
    await second.goto(`${homeport.url}/#/restore`)
    await buttonIn(second, '恢复账号').waitFor()
    await buttonIn(tab, '恢复账号').click()
    await tab.waitForURL(/#\/devices/)
    await buttonIn(second, '恢复账号').click()
    await second.getByText('没能恢复').waitFor()
    // The agent was told to come later, and does so by itself.
    await expect.poll(isOpen, { timeout: 60_000, interval: 500 }).toBe(true)
    const watched = await openWatched(profile, homeport.url)
    await watched.page.goto(`${homeport.url}/#/user/info`)
    await watched.page.getByRole('heading', { name: '注销账号' }).waitFor()
    await watched.page.getByText('没有其他登录').waitFor()
    expect(await watched.take()).toEqual(noMisdeeds)
    await profile.close()
  })
})
