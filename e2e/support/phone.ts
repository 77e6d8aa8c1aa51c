import { createClient, listOutbox } from '@homeport/contract'
import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { nextChallenge, readAnswer, solveByMouse, withDatabase } from './captcha.ts'
import { buttonIn } from './console.ts'
import type { Homeport } from './processes.ts'

/** Messages to a number, the newest first. */
async function listMessages(homeport: Homeport, phone: string) {
  const messages = await createClient({ baseUrl: homeport.url, fetch }).call(listOutbox, {})
  return messages.filter(({ to }) => to === phone)
}

/** Makes every number one that got no message for a minute. */
export const letPhonesRest = (homeport: Homeport): void =>
  withDatabase(homeport, database =>
    database.exec("update counted_uses set rests_until = 0 where key like 'sms %'"),
  )

/** Makes every sign-in one that was long ago: sensitive changes ask who is there. */
export const ageSessions = (homeport: Homeport): void =>
  withDatabase(homeport, database => database.exec('update sessions set confirmed_at = 1'))

/** Has the browser ask for sliding puzzles, which a mouse solves soonest. */
export const askForPuzzles = (page: Page) =>
  page.route(
    url => url.pathname === '/captcha/' && url.search.startsWith('?scene='),
    route =>
      route.request().method() === 'GET'
        ? route.continue({ url: `${route.request().url()}&kind=slide` })
        : route.continue(),
  )

interface AskOptions {
  hasCaptcha?: boolean
  /** Answers the console that asks who is there. */
  confirm?: () => Promise<void>
}

/** Presses the button that sends a code, and solves the captcha where one comes first. */
export async function askForCode(
  page: Page,
  homeport: Homeport,
  { hasCaptcha = true, confirm }: AskOptions = {},
): Promise<void> {
  const challenge = hasCaptcha ? nextChallenge(page) : null
  await page.getByRole('button', { name: '获取验证码' }).first().click()
  if (challenge !== null) await solvePuzzle(page, homeport, challenge)
  await confirm?.()
}

/** Asks for a code, and reads it where it arrived. */
export async function sendCode(
  page: Page,
  homeport: Homeport,
  { to, ...options }: AskOptions & { to: string },
): Promise<string> {
  const before = (await listMessages(homeport, to))[0]?.id
  await askForCode(page, homeport, options)
  return vi.waitFor(
    async () => {
      const [newest] = await listMessages(homeport, to)
      if (newest === undefined || newest.id === before) throw new Error(`nothing came to ${to}`)
      return newest.code ?? ''
    },
    { timeout: 15_000, interval: 50 },
  )
}

/** Solves the challenge in the dialog by mouse. */
export async function solvePuzzle(
  page: Page,
  homeport: Homeport,
  challenge: ReturnType<typeof nextChallenge>,
): Promise<void> {
  const captcha = await challenge
  const dialog = page.getByRole('dialog', { name: '安全验证' })
  await dialog.locator('img').first().waitFor()
  await solveByMouse(page, captcha, readAnswer(homeport, captcha.key))
  await dialog.waitFor({ state: 'hidden' })
}

/** Opens the tab of the sign-in page that asks for a number. */
export async function openPhoneTab(page: Page, homeport: Homeport): Promise<void> {
  await askForPuzzles(page)
  // From nowhere: an address that differs behind its # alone would leave the page that is there as it is.
  await page.goto('about:blank')
  await page.goto(`${homeport.url}/#/login`)
  await page.getByRole('tab', { name: '手机号' }).click()
  await page.getByLabel('手机号', { exact: true }).waitFor()
}

/** Signs in by the form of that tab. */
export async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel('短信验证码').fill(code)
  await buttonIn(page, '登录 / 注册').click()
}
