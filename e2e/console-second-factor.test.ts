import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAdministrator } from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { addUser, buttonIn, openSignedIn } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Two-step codes and passkeys in Chromium, with its virtual authenticator. One story: each part goes on from the last.

let homeport: Homeport
let browser: Browser
let context: BrowserContext
let page: Page
let app: ReturnType<typeof createAuthenticatorApp>
let recoveryCodes: string[] = []
const user = { username: 'anquan', password: 'a long password' }

beforeAll(async () => {
  homeport = await startHomeport()
  browser = await startBrowser()
  const account = await addUser(homeport, await setUpAdministrator(homeport), user)
  context = await openSignedIn(browser, homeport, account)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
  await page.goto(`${homeport.url}/#/user/info`)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

const button = (words: string, place = page) => buttonIn(place, words)
const takeRecoveryCode = () => recoveryCodes.shift() ?? ''
const sessionOf = async (place: BrowserContext) =>
  (await place.cookies(homeport.url)).find(({ name }) => name === 'hp_session')?.value

/** A signed-out tab of its own on which name and password were sent. */
async function showPassword(): Promise<{ tab: Page; profile: BrowserContext }> {
  const profile = await openProfile(browser)
  profile.setDefaultTimeout(30_000)
  const tab = await profile.newPage()
  await tab.goto(`${homeport.url}/#/login`)
  await tab.getByLabel('用户名或邮箱').fill(user.username)
  await tab.getByLabel('密码', { exact: true }).fill(user.password)
  await tab.getByRole('checkbox').check()
  await tab.keyboard.press('Enter')
  return { tab, profile }
}
const isIn = (tab: Page) => tab.getByRole('button', { name: '账号菜单' }).waitFor()

/** Gives a tab an authenticator with a fingerprint; `isWilling` tells whether its user puts a finger on it. */
async function addAuthenticator(tab: Page) {
  const cdp: CDPSession = await tab.context().newCDPSession(tab)
  await cdp.send('WebAuthn.enable')
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    setVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    countCredentials: async () =>
      (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

describe('two-step codes', () => {
  it('are turned on with a QR code or a typed key, and give recovery codes to keep', async () => {
    await button('开启两步验证').click()
    const dialog = page.getByRole('dialog', { name: '开启两步验证' })
    await dialog.getByRole('img', { name: '两步验证的二维码' }).waitFor()
    const typed = (await dialog.locator('code').textContent()) ?? ''
    expect(typed).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/)
    app = createAuthenticatorApp(typed.replaceAll(' ', ''))
    await keepScreenshots(page, '80-two-step-set-up')
    const field = dialog.getByLabel('动态码（6 位数字）')
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    const code = app.next()
    await field.fill(code === '000000' ? '000001' : '000000')
    await field.press('Enter')
    await dialog.getByText('验证码不正确或已使用').waitFor()
    await field.fill(code)
    await field.press('Enter')

    const recovery = page.getByRole('dialog', { name: '保存恢复码' })
    const items = recovery.getByRole('listitem')
    await expect.poll(() => items.count()).toBe(10)
    recoveryCodes = await items.allTextContents()
    await keepScreenshots(page, '81-recovery-codes')
    expect(await button('完成').isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    expect(await recovery.isVisible()).toBe(true)
    await recovery.getByRole('button', { name: '复制全部' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(recoveryCodes.join('\n'))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      recovery.getByRole('button', { name: '下载' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('homeport-recovery-codes.txt')
    const saved = await readFile(await download.path(), 'utf8')
    expect(saved.trim().split('\n')).toEqual(recoveryCodes)
    await recovery.getByRole('checkbox', { name: '我已经保存好恢复码' }).check()
    await button('完成').click()
    await page.getByText('还有 10 个恢复码').waitFor()
    await keepScreenshots(page, '82-two-step-on')
  })

  it('are asked for after the password: a wrong one stays out, the right one is in', async () => {
    const { tab, profile } = await showPassword()
    const field = tab.getByLabel('动态码或恢复码')
    await field.waitFor()
    expect(await sessionOf(profile)).toBe(undefined)
    expect(await field.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    await keepScreenshots(tab, '83-second-step')
    // The code that turned it on was used by that.
    await tab.keyboard.type(app.again())
    await tab.keyboard.press('Enter')
    await tab.getByText('验证码不正确或已使用，请输入新的').waitFor()
    await keepScreenshots(tab, '84-second-step-wrong')
    expect(await sessionOf(profile)).toBe(undefined)
    await field.fill(app.next())
    await tab.keyboard.press('Enter')
    await isIn(tab)
    expect(await sessionOf(profile)).toMatch(/^[\w-]{43}$/)
    await profile.close()
  })

  it('let a recovery code stand in, and lead back to the password', async () => {
    const { tab, profile } = await showPassword()
    await tab.getByLabel('动态码或恢复码').waitFor()
    await tab.getByRole('button', { name: '换一个账号登录' }).click()
    expect(await tab.getByLabel('用户名或邮箱').inputValue()).toBe(user.username)
    await tab.getByRole('button', { name: '登录', exact: true }).click()
    await tab.getByLabel('动态码或恢复码').fill(takeRecoveryCode().toUpperCase())
    await tab.keyboard.press('Enter')
    await isIn(tab)
    await profile.close()
    await page.reload()
    await page.getByText('还有 9 个恢复码').waitFor()
  })
})

describe('passkeys', () => {
  it('are added with a code, renamed, and open the account alone', async () => {
    const authenticator = await addAuthenticator(page)
    await button('添加通行密钥').click()
    const dialog = page.getByRole('dialog', { name: '添加通行密钥' })
    await dialog.getByLabel('名称').fill('书房电脑')
    await dialog.getByLabel('动态码或恢复码').fill(takeRecoveryCode())
    await keepScreenshots(page, '85-passkey-add')
    await button('继续').click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await authenticator.countCredentials()).toBe(1)
    await page.getByRole('button', { name: '给 书房电脑 改名' }).click()
    await page.getByRole('dialog', { name: '通行密钥改名' }).getByLabel('名称').fill('客厅电脑')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '给 客厅电脑 改名' }).waitFor()
    await page.getByText('还没有用过').waitFor()
    await page.getByText('还有 8 个恢复码').waitFor()
    // On a phone the panels stand below one another, and nothing sticks out.
    await page.setViewportSize(viewports.phone)
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBe(viewports.phone.width)
    await page.setViewportSize(viewports.desktop)
    await keepScreenshots(page, '86-passkeys')

    const before = await sessionOf(context)
    await context.clearCookies()
    await page.goto(`${homeport.url}/#/login`)
    await page.reload()
    await button('用通行密钥登录').waitFor()
    await keepScreenshots(page, '87-login-passkey')
    // Whoever only holds the device is not let in.
    await authenticator.setVerified(false)
    await button('用通行密钥登录').click()
    await page.getByText('没有完成验证，可以再试一次').waitFor()
    expect(await sessionOf(context)).toBe(undefined)
    await authenticator.setVerified(true)
    await button('用通行密钥登录').click()
    await isIn(page)
    await page.waitForURL('**/#/devices')
    expect(await sessionOf(context)).not.toBe(before)
  })

  it('open nothing once they are deleted', async () => {
    await page.goto(`${homeport.url}/#/user/info`)
    await page.getByText('最近使用').first().waitFor()
    await page.getByRole('button', { name: '删除 客厅电脑' }).click()
    await buttonIn(page.getByRole('dialog', { name: '删除通行密钥“客厅电脑”？' }), '删除').click()
    await page.getByText('还没有通行密钥').waitFor()
    const session = (await context.cookies(homeport.url)).filter(
      ({ name }) => name === 'hp_session',
    )
    await context.clearCookies({ name: 'hp_session' })
    await page.goto(`${homeport.url}/#/login`)
    await page.reload()
    await button('用通行密钥登录').click()
    await page.getByText('通行密钥没有通过验证').waitFor()
    expect(await sessionOf(context)).toBe(undefined)
    await context.addCookies(session)
  })
})

it('two-step codes are turned off with a code, and then the password is enough', async () => {
  // A document that knows of the session: the one on screen takes itself for signed out.
  await page.goto('about:blank')
  await page.goto(`${homeport.url}/#/user/info`)
  await page.getByRole('button', { name: '关闭', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: '关闭两步验证？' })
  await dialog.getByLabel('动态码或恢复码').fill(takeRecoveryCode())
  await keepScreenshots(page, '88-two-step-off')
  await buttonIn(dialog, '关闭').last().click()
  await button('开启两步验证').waitFor()
  const { tab, profile } = await showPassword()
  await isIn(tab)
  await profile.close()
})
