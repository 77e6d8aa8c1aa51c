import {
  getLoginStatus,
  getOwnAccount,
  getProfile,
  listOutbox,
  patchOwnProfile,
  sendResetLink,
} from '@homeport/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Account, openAccount, setUpAdministrator, signIn } from './support/account.ts'
import { keepScreenshots, openProfile, startBrowser, viewports } from './support/browser.ts'
import { makeTicket, nextChallenge } from './support/captcha.ts'
import { addUser, buttonIn, openSignedIn } from './support/console.ts'
import { askForPuzzles, solvePuzzle } from './support/phone.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// An e-mail address in Chromium: asked for, confirmed by the link of its letter, replaced, given up; and a forgotten password. One
// story. Links of letters are attacked on the way.

let homeport: Homeport
let browser: Browser
let owner: Account
let other: Account
let context: BrowserContext
let page: Page
const user = { username: 'youxiang', password: 'a long password' }

beforeAll(async () => {
  homeport = await startHomeport(['--log', 'debug'])
  browser = await startBrowser()
  const staff = await setUpAdministrator(homeport)
  owner = await addUser(homeport, staff, user)
  other = await addUser(homeport, staff, { username: 'linju', password: 'a long password' })
  context = await openSignedIn(browser, homeport, owner)
  context.setDefaultTimeout(30_000)
  page = await context.newPage()
  await page.goto(`${homeport.url}/#/user/info`)
})

afterAll(async () => {
  await browser?.close()
  await homeport?.dispose()
})

const emailOf = async (who = owner) => (await who.client.call(getProfile, {}))[0]?.email
const panelOf = (place: Page) =>
  place.locator('.ant-card').filter({ has: place.getByRole('heading', { name: '邮箱' }) })
async function findLink(mark: string): Promise<string | undefined> {
  const letters = await (await openAccount(homeport.url)).client.call(listOutbox, {})
  const link = letters.find(({ code }) => code?.includes(mark))?.code ?? undefined
  return link?.replace(/^http:\/\/[^/]+/, homeport.url)
}
async function lastLink(mark = 'confirm_email'): Promise<string> {
  const link = await findLink(mark)
  if (link === undefined) throw new Error('no letter with a link')
  return link
}

/** A program that looks into mail before its reader does: it asks for what a link leads to, and runs the page's scripts. */
async function scan(link: string): Promise<void> {
  for (const method of ['HEAD', 'GET']) {
    const answer = await fetch(link, { method, redirect: 'manual' })
    expect([answer.status, answer.headers.get('referrer-policy')]).toEqual([200, 'same-origin'])
  }
  const profile = await openProfile(browser)
  const tab = await profile.newPage()
  await tab.goto(link)
  await tab.getByRole('heading').first().waitFor()
  await profile.close()
}

/** What the secret of a link was sent in: addresses, and referrers of every request of a profile. */
function watchSecrets(profile: BrowserContext): { requests: string[]; foreign: string[] } {
  const seen = { requests: [] as string[], foreign: [] as string[] }
  profile.on('request', request => {
    seen.requests.push(`${request.url().split('#')[0]} ${request.headers().referer ?? ''}`)
    if (new URL(request.url()).hostname.endsWith('.example')) seen.foreign.push(request.url())
  })
  return seen
}
const secretOf = (link: string) => /=([\w-]{32})$/.exec(link)?.[1] ?? 'none'
async function ask(email: string): Promise<void> {
  await panelOf(page).getByRole('textbox', { name: '邮箱' }).fill(email)
  await buttonIn(panelOf(page), '发送确认邮件').click()
  await page.getByText(`等待确认：${email}`).waitFor()
}

it('waits for its link, which counts once and leaves the address bar', async () => {
  await panelOf(page).getByRole('textbox', { name: '邮箱' }).fill('nowhere')
  await buttonIn(panelOf(page), '发送确认邮件').click()
  await page.getByText('邮箱格式不正确').waitFor()
  await ask('li@example.com')
  await keepScreenshots(page, '100-email-pending')
  expect(await emailOf()).toBe('')
  const link = await lastLink()
  const tab = await context.newPage()
  await tab.goto(link)
  await tab.getByText('邮箱已确认').waitFor()
  await keepScreenshots(tab, '101-email-confirmed')
  expect(tab.url()).toBe(`${homeport.url}/#/user/info`)
  expect(await emailOf()).toBe('li@example.com')
  await signIn(homeport, { ...user, username: 'li@example.com' })
  const again = await context.newPage()
  await again.goto(link)
  await again.getByText('没能确认邮箱').waitFor()
  await keepScreenshots(again, '102-email-used')
  await again.close()
  await tab.close()
})

it('is led to through the sign-in page, and works for the account that asked alone', async () => {
  await page.reload()
  await ask('new@example.com')
  const link = await lastLink()
  const stranger = await openSignedIn(browser, homeport, other)
  stranger.setDefaultTimeout(30_000)
  const tab = await stranger.newPage()
  await tab.goto(link)
  await tab.getByText('没能确认邮箱').waitFor()
  expect([await emailOf(), await emailOf(other)]).toEqual(['li@example.com', ''])
  await stranger.close()

  const profile = await openProfile(browser)
  profile.setDefaultTimeout(30_000)
  const fresh = await profile.newPage()
  await fresh.goto(link)
  await fresh.waitForURL(/#\/login/)
  await fresh.getByRole('textbox').first().fill(user.username)
  await fresh.getByLabel('密码', { exact: true }).fill(user.password)
  await fresh.getByRole('checkbox').check()
  await fresh.keyboard.press('Enter')
  await fresh.getByText('邮箱已确认').waitFor()
  expect(await emailOf()).toBe('new@example.com')
  await profile.close()
})

it('can be sent again, given up, and removed', async () => {
  await page.reload()
  await ask('third@example.com')
  const first = await lastLink()
  await buttonIn(page, '重新发送').click()
  await page.getByText('已重新发送').waitFor()
  const tab = await context.newPage()
  await tab.goto(first)
  await tab.getByText('没能确认邮箱').waitFor()
  await tab.close()
  await buttonIn(page, '放弃更换').click()
  await page.getByText('等待确认：third@example.com').waitFor({ state: 'detached' })
  expect((await owner.client.call(getOwnAccount, {})).email_pending).toBe(null)
  await buttonIn(page, '移除邮箱').click()
  const dialog = page.getByRole('dialog', { name: '移除邮箱？' })
  await keepScreenshots(page, '103-email-remove')
  await buttonIn(dialog, '移除邮箱').click()
  await page.getByText('还没有邮箱').waitFor()
  expect(await emailOf()).toBe('')
})

describe('the link to confirm an address', () => {
  const change = (email: string) => other.client.call(patchOwnProfile, { body: { email } })

  it('is not used up by what looks at it first, and one of two tabs uses it', async () => {
    await change('linju@example.com')
    const link = await lastLink()
    await scan(link)
    expect(await emailOf(other)).toBe('')
    const profile = await openSignedIn(browser, homeport, other)
    profile.setDefaultTimeout(30_000)
    const tabs = [await profile.newPage(), await profile.newPage()]
    await Promise.all(tabs.map(tab => tab.goto(link)))
    const told = tabs.map(tab => tab.getByText(/邮箱已确认|没能确认邮箱/).textContent())
    expect((await Promise.all(told)).sort()).toEqual(['没能确认邮箱', '邮箱已确认'])
    expect(await emailOf(other)).toBe('linju@example.com')
    await profile.close()
  })

  it('leads nowhere else, whatever is added to it, and its secret is in no request', async () => {
    await change('linju2@example.com')
    const link = await lastLink()
    const profile = await openSignedIn(browser, homeport, other)
    profile.setDefaultTimeout(30_000)
    const seen = watchSecrets(profile)
    const tab = await profile.newPage()
    const more = `&url=${encodeURIComponent('http://evil.example/')}&next=//evil.example/`
    await tab.goto(`${link.replace('/user/info', '/login')}${more}`)
    await tab.getByText('邮箱已确认').waitFor()
    expect(tab.url()).toBe(`${homeport.url}/#/user/info`)
    expect(seen.requests.length).toBeGreaterThan(5)
    expect(seen.requests.filter(text => text.includes(secretOf(link)))).toEqual([])
    expect([seen.foreign, homeport.output().includes(secretOf(link))]).toEqual([[], false])
    await profile.close()
  })
})

describe('a forgotten password', () => {
  const email = 'linju2@example.com'
  const newPassword = 'tidal harbour lantern'

  async function askForLink(): Promise<string> {
    const before = await findLink('/reset?')
    const { client } = await openAccount(homeport.url)
    const captcha_ticket = makeTicket(homeport, 'reset')
    await client.call(sendResetLink, { body: { email, captcha_ticket } })
    return vi.waitFor(async () => {
      const link = await findLink('/reset?')
      if (link === undefined || link === before) throw new Error('no letter with a link')
      return link
    })
  }
  async function choose(tab: Page, password: string): Promise<void> {
    await tab.getByLabel('新密码', { exact: true }).fill(password)
    await tab.getByLabel('确认密码').fill(password)
    await buttonIn(tab, '重置密码').click()
  }

  it('is asked for by mail after a captcha, which says nothing of the address', async () => {
    const profile = await openProfile(browser)
    profile.setDefaultTimeout(30_000)
    const tab = await profile.newPage()
    await askForPuzzles(tab)
    await tab.goto(`${homeport.url}/#/login`)
    await tab.getByRole('button', { name: '忘记密码？' }).click()
    await tab.getByRole('tab', { name: '邮箱' }).click()
    await keepScreenshots(tab, '104-forgotten-by-mail')
    await buttonIn(tab, '发送重置链接').click()
    await tab.getByText('请填写邮箱').waitFor()
    await tab.getByLabel('账号的邮箱').fill('nobody@example.com')
    const challenge = nextChallenge(tab)
    await tab.getByRole('button', { name: '点击按键进行验证' }).click()
    await solvePuzzle(tab, homeport, challenge)
    await buttonIn(tab, '发送重置链接').click()
    await tab.getByText('如果 nobody@example.com 是某个账号确认过的邮箱').waitFor()
    await keepScreenshots(tab, '105-forgotten-sent')
    await buttonIn(tab, '没收到，再发一次').click()
    expect(await tab.getByLabel('账号的邮箱').inputValue()).toBe('nobody@example.com')
    await tab.getByRole('button', { name: '点击按键进行验证' }).waitFor()
    await tab.setViewportSize(viewports.phone)
    await expect
      .poll(() => tab.evaluate(() => document.documentElement.scrollWidth))
      .toBe(viewports.phone.width)
    await profile.close()
  })

  it('is reset in another browser, by one of two tabs, after a scanner, and nowhere else', async () => {
    const link = await askForLink()
    await scan(link)
    const profile = await openProfile(browser)
    profile.setDefaultTimeout(30_000)
    const seen = watchSecrets(profile)
    const tabs = [await profile.newPage(), await profile.newPage()]
    const more = `&url=${encodeURIComponent('http://evil.example/')}&next=//evil.example/`
    for (const tab of tabs) {
      await tab.goto(`${link}${more}`)
      await tab.getByText('为账号 linju 设置新密码').waitFor()
      expect(tab.url()).toBe(`${homeport.url}/#/reset`)
    }
    const [first, second] = tabs as [Page, Page]
    await first.getByLabel('新密码', { exact: true }).fill('woaini1314')
    await first.getByText('较弱').waitFor()
    await keepScreenshots(first, '106-reset-by-mail')
    expect((await other.client.call(getLoginStatus, {})).logged_in).toBe(true)
    await Promise.all([choose(first, newPassword), choose(second, newPassword)])
    const told = tabs.map(tab => tab.getByText(/^密码已重置$|^链接无效或已过期$/).textContent())
    const outcomes = await Promise.all(told)
    expect(outcomes.toSorted()).toEqual(['密码已重置', '链接无效或已过期'])
    const done = outcomes[0] === '密码已重置' ? first : second
    const lost = done === first ? second : first
    await keepScreenshots(done, '107-reset-by-mail-done')
    await keepScreenshots(lost, '108-reset-by-mail-lost')
    expect((await other.client.call(getLoginStatus, {})).logged_in).toBe(false)
    await buttonIn(done, '登录').click()
    await done.getByText('密码已重置，所有登录已退出').waitFor()
    expect(await done.getByRole('textbox').first().inputValue()).toBe('linju')
    // Opened once more, and in the history of the tab that used it.
    await lost.goto('about:blank')
    await lost.goto(link)
    await lost.getByText('链接无效或已过期').waitFor()
    expect(seen.requests.length).toBeGreaterThan(5)
    expect(seen.requests.filter(text => text.includes(secretOf(link)))).toEqual([])
    expect([seen.foreign, homeport.output().includes(secretOf(link))]).toEqual([[], false])
    other = await signIn(homeport, { username: 'linju', password: newPassword })
    await profile.close()
  })
})
