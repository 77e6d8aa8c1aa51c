import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setUpAdministrator } from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { expireSingleUses } from './support/captcha.ts'
import { addUser, buttonIn, openSignedIn } from './support/console.ts'
import {
  ageSessions,
  askForCode,
  askForPuzzles,
  letPhonesRest,
  openPhoneTab,
  sendCode,
  submitCode,
} from './support/phone.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Codes by text message in Chromium, with the outbox of development. One story: each part goes on from the last.

const typedPhone = '138 0013 8000'
const phone = '+8613800138000'
const otherPhone = '+8613900139000'
const user = { username: 'shouji', password: 'a long password' }
const newPassword = 'tidal harbour lantern'
const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

let homeport: Homeport
let browser: Browser
let context: BrowserContext
let page: Page
/** The tab of an account that has a password. */
let owner: Page
let app: ReturnType<typeof createAuthenticatorApp>

beforeAll(async () => {
  homeport = await startHomeport(['--signup', 'open'])
  browser = await startBrowser()
  const account = await addUser(homeport, await setUpAdministrator(homeport), user)
  const other = await openSignedIn(browser, homeport, account)
  context = await openProfile(browser)
  for (const each of [context, other]) each.setDefaultTimeout(30_000)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  page = await context.newPage()
  owner = await other.newPage()
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

const isIn = (tab: Page) => tab.getByRole('button', { name: '账号菜单' }).waitFor()
const sessionOf = async (place: BrowserContext) =>
  (await place.cookies(homeport.url)).find(({ name }) => name === 'hp_session')?.value
const fitsPhone = async (tab: Page) => {
  await tab.setViewportSize(viewports.phone)
  await expect
    .poll(() => tab.evaluate(() => document.documentElement.scrollWidth))
    .toBe(viewports.phone.width)
  await tab.setViewportSize(viewports.desktop)
}

/** A profile of its own in which the number was typed and a code was sent. */
async function askElsewhere(number = phone) {
  letPhonesRest(homeport)
  const profile = await openProfile(browser)
  profile.setDefaultTimeout(30_000)
  const tab = await profile.newPage()
  await openPhoneTab(tab, homeport)
  await tab.getByLabel('手机号', { exact: true }).fill(number)
  const code = await sendCode(tab, homeport, { to: number })
  await tab.getByRole('checkbox').check()
  return { profile, tab, code }
}

describe('signing in by phone', () => {
  it('makes an account with the code that the outbox shows', async () => {
    await openPhoneTab(page, homeport)
    await fitsPhone(page)
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('请填写手机号').waitFor()
    await page.getByLabel('手机号', { exact: true }).fill('51234567')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await page.getByText('请在前面加上国家或地区代码').waitFor()
    await keepScreenshots(page, '90-phone-wrong-number')
    await page.getByLabel('手机号', { exact: true }).fill(typedPhone)
    const code = await sendCode(page, homeport, { to: phone })
    await page.getByText('验证码已发送').waitFor()
    expect(await page.getByRole('button', { name: /秒后重发/ }).isDisabled()).toBe(true)
    expect(await page.getByLabel('短信验证码').getAttribute('autocomplete')).toBe('one-time-code')
    await keepScreenshots(page, '91-phone-code-sent')

    await page.getByRole('button', { name: '开发收件箱' }).click()
    const drawer = page.getByRole('dialog', { name: '开发收件箱' })
    await drawer.getByText(phone).waitFor()
    await keepScreenshots(page, '92-outbox')
    await drawer.getByRole('button', { name: '复制' }).first().click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(code)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'hidden' })

    await submitCode(page, code)
    await page.getByText('请先阅读并勾选服务条款').waitFor()
    await page.getByRole('checkbox').check()
    await submitCode(page, otherThan(code))
    await page.getByText('验证码不正确或已过期').waitFor()
    await keepScreenshots(page, '93-phone-code-wrong')
    expect(await sessionOf(context)).toBe(undefined)
    await submitCode(page, code)
    await isIn(page)
    expect(await sessionOf(context)).toMatch(/^[\w-]{43}$/)
  })

  it('shows the number masked, and asks for no old password where there is none', async () => {
    await page.goto(`${homeport.url}/#/user/info`)
    await page.getByText('+86 138****8000').waitFor()
    await page.getByText('已验证').waitFor()
    await page.getByText('这个账号还没有密码').waitFor()
    expect(await page.getByLabel('当前密码').count()).toBe(0)
    expect(await page.content()).not.toContain('13800138000')
    await fitsPhone(page)
    await keepScreenshots(page, '94-account-by-phone')
  })

  it('confirms itself by a message before the first password', async () => {
    ageSessions(homeport)
    letPhonesRest(homeport)
    await page.getByLabel('新密码', { exact: true }).fill(newPassword)
    await page.getByLabel('再次填写新密码').fill(newPassword)
    await buttonIn(page, '设置密码').click()
    const dialog = page.getByRole('dialog', { name: '确认是您本人' })
    await dialog.getByText('请用短信验证码确认').waitFor()
    const code = await sendCode(page, homeport, { to: phone, hasCaptcha: false })
    await keepScreenshots(page, '95-confirm-by-phone')
    const field = dialog.getByLabel('绑定的手机号收到的验证码')
    await field.fill(otherThan(code))
    await field.press('Enter')
    await dialog.getByText('验证码不正确或已过期').waitFor()
    await field.fill(code)
    await field.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    await page.getByLabel('当前密码').waitFor()
  })

  it('refuses a code that is over, and one that was used', async () => {
    const { profile, tab, code } = await askElsewhere()
    expireSingleUses(homeport)
    await submitCode(tab, code)
    await tab.getByText('验证码不正确或已过期').waitFor()
    await profile.close()

    const again = await askElsewhere()
    await submitCode(again.tab, again.code)
    await isIn(again.tab)
    await again.profile.clearCookies({ name: 'hp_session' })
    await openPhoneTab(again.tab, homeport)
    await again.tab.getByLabel('手机号', { exact: true }).fill(phone)
    await submitCode(again.tab, again.code)
    await again.tab.getByText('验证码不正确或已过期').waitFor()
    expect(await sessionOf(again.profile)).toBe(undefined)
    await again.profile.close()
  })

  it('lets one of two tabs in that use a code at once', async () => {
    const { profile, tab, code } = await askElsewhere()
    const second = await profile.newPage()
    await openPhoneTab(second, homeport)
    await second.getByLabel('手机号', { exact: true }).fill(phone)
    await second.getByRole('checkbox').check()
    const statusOf = async (each: Page) => {
      const answer = each.waitForResponse(response => response.url().endsWith('/login/phone/'))
      await submitCode(each, code)
      return (await answer).status()
    }
    const statuses = await Promise.all([tab, second].map(statusOf))
    expect(statuses.filter(status => status === 200)).toHaveLength(1)
    await profile.close()
  })

  it('says that a second message has to wait', async () => {
    const { profile, tab } = await askElsewhere()
    await openPhoneTab(tab, homeport)
    await tab.getByLabel('手机号', { exact: true }).fill(phone)
    await askForCode(tab, homeport)
    await tab.getByText('操作太频繁，请稍后再试').waitFor()
    expect(await tab.getByRole('button', { name: /秒后重发/ }).isDisabled()).toBe(true)
    await profile.close()
  })

  it('asks for the second factor', async () => {
    await buttonIn(page, '开启两步验证').click()
    const setUp = page.getByRole('dialog', { name: '开启两步验证' })
    const typed = (await setUp.locator('code').textContent()) ?? ''
    app = createAuthenticatorApp(typed.replaceAll(' ', ''))
    await setUp.getByLabel('动态码（6 位数字）').fill(app.next())
    await page.keyboard.press('Enter')
    await page.getByRole('checkbox', { name: '我已经保存好恢复码' }).check()
    await buttonIn(page, '完成').click()

    const { profile, tab, code } = await askElsewhere()
    await submitCode(tab, code)
    const field = tab.getByLabel('动态码或恢复码')
    await field.waitFor()
    expect(await sessionOf(profile)).toBe(undefined)
    await keepScreenshots(tab, '96-phone-second-step')
    await field.fill(app.again())
    await field.press('Enter')
    await tab.getByText('验证码不正确或已使用').waitFor()
    expect(await sessionOf(profile)).toBe(undefined)
    await field.fill(app.next())
    await field.press('Enter')
    await isIn(tab)
    await profile.close()
  })
})

describe('a forgotten password', () => {
  it('is reset by phone, which ends every session and lets nobody in', async () => {
    letPhonesRest(homeport)
    const profile = await openProfile(browser)
    profile.setDefaultTimeout(30_000)
    const tab = await profile.newPage()
    await askForPuzzles(tab)
    await tab.goto(`${homeport.url}/#/login`)
    await tab.getByRole('button', { name: '忘记密码？' }).click()
    await tab.getByRole('heading', { name: '重置密码' }).waitFor()
    await fitsPhone(tab)
    await tab.getByLabel('账号绑定的手机号').fill(phone)
    const code = await sendCode(tab, homeport, { to: phone })
    await tab.getByLabel('短信验证码').fill(code)
    await tab.getByLabel('新密码', { exact: true }).fill(`${newPassword} again`)
    await tab.getByLabel('确认密码').fill(`${newPassword} again`)
    await keepScreenshots(tab, '97-reset-password')
    await buttonIn(tab, '重置密码').click()
    await tab.getByText('密码已重置，所有登录已退出').waitFor()
    await keepScreenshots(tab, '98-reset-done')
    expect(await sessionOf(profile)).toBe(undefined)
    await page.reload()
    await page.getByRole('tab', { name: '手机号' }).waitFor()

    await tab.getByLabel('密码', { exact: true }).fill(`${newPassword} again`)
    await tab.getByRole('checkbox').check()
    await tab.keyboard.press('Enter')
    // The second factor stands where it was.
    await tab.getByLabel('动态码或恢复码').waitFor()
    expect(await sessionOf(profile)).toBe(undefined)
    await profile.close()
  })
})

describe('the number of an account', () => {
  it('is bound once its code came back, and belongs to one account', async () => {
    letPhonesRest(homeport)
    await askForPuzzles(owner)
    await owner.goto(`${homeport.url}/#/user/info`)
    await owner.getByText('还没有绑定手机号').waitFor()
    // The sign-in is long ago for this account, too: the password is asked for first.
    await buttonIn(owner, '绑定手机号').click()
    const dialog = owner.getByRole('dialog', { name: '绑定手机号' })
    await dialog.getByLabel('手机号', { exact: true }).fill(phone)
    const taken = await sendCode(owner, homeport, { to: phone, confirm: confirmByPassword })
    await dialog.getByLabel('短信验证码').fill(taken)
    await buttonIn(dialog, '绑定').click()
    await dialog.getByText('这个手机号已绑定其他账号').waitFor()
    await keepScreenshots(owner, '99-bind-taken')
    await buttonIn(dialog, '取消').click()
    await dialog.waitFor({ state: 'hidden' })

    await buttonIn(owner, '绑定手机号').click()
    await dialog.getByLabel('手机号', { exact: true }).fill(otherPhone)
    const code = await sendCode(owner, homeport, { to: otherPhone })
    await dialog.getByLabel('短信验证码').fill(code)
    await buttonIn(dialog, '绑定').click()
    await dialog.waitFor({ state: 'hidden' })
    await owner.getByText('+86 139****9000').waitFor()
  })

  it('changes with a code from the old number and one from the new', async () => {
    letPhonesRest(homeport)
    const next = '+85251234567'
    await owner.getByRole('button', { name: '更换' }).click()
    const dialog = owner.getByRole('dialog', { name: '更换手机号' })
    const oldCode = await sendCode(owner, homeport, { to: otherPhone, hasCaptcha: false })
    await dialog.getByLabel('原号码 +86 139****9000 收到的验证码').fill(oldCode)
    await dialog.getByLabel('新手机号').fill('+852 5123 4567')
    const code = await sendCode(owner, homeport, { to: next })
    const field = dialog.getByLabel('新号码收到的验证码')
    await field.fill(otherThan(code))
    await keepScreenshots(owner, '100-rebind')
    await buttonIn(dialog, '更换').click()
    await dialog.getByText('验证码不正确或已过期').waitFor()
    await field.fill(code)
    await buttonIn(dialog, '更换').click()
    await dialog.waitFor({ state: 'hidden' })
    await owner.getByText('+852****567').waitFor()
    await keepScreenshots(owner, '101-rebound')
  })
})

it('is not offered where no messages are sent, and the account says why', async () => {
  const silent = await startHomeport(['--sms', 'off'])
  try {
    const account = await setUpAdministrator(silent)
    const place = await openSignedIn(browser, silent, account)
    const tab = await place.newPage()
    await tab.goto(`${silent.url}/#/user/info`)
    await tab.getByText('这个服务没有开通短信').waitFor()
    expect(await buttonIn(tab, '绑定手机号').count()).toBe(0)
    await place.clearCookies()
    await tab.reload()
    await tab.getByLabel('密码', { exact: true }).waitFor()
    expect(await tab.getByRole('tab', { name: '手机号' }).count()).toBe(0)
    await tab.getByLabel('用户名或邮箱', { exact: true }).waitFor()
    // By mail it is still to be had, and by that alone.
    await tab.getByRole('button', { name: '忘记密码？' }).click()
    await tab.getByLabel('账号的邮箱').waitFor()
    expect(await tab.getByRole('tab').count()).toBe(0)
    await place.close()
  } finally {
    await silent.dispose()
  }
})

/** Shows the own password where the console asks who is there. */
async function confirmByPassword(): Promise<void> {
  const question = owner.getByRole('dialog', { name: '确认是您本人' })
  await question.getByLabel('登录密码').fill(user.password)
  await owner.keyboard.press('Enter')
  await question.waitFor({ state: 'hidden' })
}
