import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Captcha, CaptchaScene, CaptchaValue } from '@homeport/contract'
import type { Locator, Page } from 'playwright-core'
import type { Homeport } from './processes.ts'

/** A challenge that a person solves by eye. */
export type PictureCaptcha = Exclude<Captcha, { kind: 'work' }>

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')

/** Reads or writes the deployment's own database, beside it. */
export function withDatabase<T>(homeport: Homeport, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(homeport.folder, 'data', 'homeport.sqlite'))
  try {
    database.exec('pragma busy_timeout = 5000')
    return use(database)
  } finally {
    database.close()
  }
}

/** The right answer of a challenge, from the deployment's own database. */
export const readAnswer = (homeport: Homeport, key: string): CaptchaValue =>
  withDatabase(homeport, database => {
    const row = database
      .prepare('select value from single_uses where key_hash = ?')
      .get(hashOf(`captcha\n${key}`)) as { value: string } | undefined
    if (row === undefined) throw new Error('no such challenge')
    return JSON.parse(row.value).kept.answer
  })

/** A ticket as a solved challenge gives it to a browser on this machine, written down beside the deployment. */
export function makeTicket(homeport: Homeport, scene: CaptchaScene): string {
  const ticket = randomUUID()
  withDatabase(homeport, database =>
    database
      .prepare(
        `insert into single_uses (key_hash, purpose, binding, value, tries_left, expires_at)
        values (?, 'captcha ticket', ?, '', 0, ?)`,
      )
      .run(hashOf(`captcha ticket\n${ticket}`), `${scene} 127.0.0.1`, Date.now() + 300_000),
  )
  return ticket
}

/** Lets every challenge, ticket and first step of a sign-in be over. */
export const expireSingleUses = (homeport: Homeport): void =>
  withDatabase(homeport, database => database.exec('update single_uses set expires_at = 1'))

/** Makes the browser ask for one kind, as development mode allows. */
export const askForKind = (page: Page, kind: PictureCaptcha['kind']) =>
  page.route(
    url => url.pathname === '/captcha/' && url.search === '?scene=login',
    route => route.continue({ url: `${route.request().url()}&kind=${kind}` }),
  )

/** Waits for the next challenge that the page is given. */
export const nextChallenge = async (page: Page): Promise<PictureCaptcha> => {
  const response = await page.waitForResponse(
    answer => answer.url().includes('/captcha/?scene=') && answer.request().method() === 'GET',
  )
  return (await response.json()) as PictureCaptcha
}

/** Waits until a dialog has come to rest: places that are read while it grows are not where the mouse would go. */
export async function stillness(page: Page): Promise<void> {
  // The class is there from the first frame on, the animation begins some frames later.
  await page.waitForFunction(
    () => document.querySelector('.ant-zoom-appear, .ant-zoom-enter') === null,
  )
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
        .map(animation => animation.finished),
    ).then(() => undefined),
  )
}

/** Does with the mouse what the value says. */
export async function solveByMouse(
  page: Page,
  captcha: PictureCaptcha,
  value: CaptchaValue,
): Promise<void> {
  const dialog = page.getByRole('dialog')
  await stillness(page)
  if (Array.isArray(value)) {
    // Nobody clicks three characters within 250 ms of seeing them, and the server knows.
    const shownAt = await page.evaluate(() => performance.now())
    await page.waitForFunction(at => performance.now() - at > 300, shownAt)
    const picture = dialog.locator('img[class*="picture"]')
    for (const { x, y } of value) await picture.click({ position: { x, y } })
    await dialog.getByRole('button', { name: '确认', exact: true }).click()
    return
  }
  if (captcha.kind === 'slide_region' && 'x' in value) {
    const tile = dialog.locator('[class*="tile"]')
    await drag(page, tile, value.x - captcha.thumbX, value.y - captcha.thumbY)
    return
  }
  const block = dialog.locator('[class*="dragBlock_"]')
  const bar = dialog.locator('[class*="dragSlideBar"]')
  const [blockBox, barBox] = [await block.boundingBox(), await bar.boundingBox()]
  const room = (barBox?.width ?? 0) - (blockBox?.width ?? 0)
  if (captcha.kind === 'slide' && 'x' in value) {
    const way = 300 - captcha.thumbWidth - captcha.thumbX
    await drag(page, block, ((value.x - captcha.thumbX) / way) * room, 0)
  } else if (captcha.kind === 'rotate' && 'angle' in value) {
    const share = (value.angle - captcha.angle) / (360 - captcha.angle)
    // The widget cuts fractions off, so half a degree more.
    await drag(page, block, share * room + 0.5, 0)
  }
}

/** Drags as a hand does: quick in the middle, slow at the end. */
async function drag(page: Page, handle: Locator, right: number, down: number): Promise<void> {
  const box = await handle.boundingBox()
  if (box === null) throw new Error('nothing to drag')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  for (const share of [
    0.02, 0.08, 0.2, 0.37, 0.55, 0.71, 0.83, 0.9, 0.94, 0.97, 0.98, 0.99, 1, 1,
  ]) {
    await page.mouse.move(x + right * share, y + down * share)
    // One frame for each step: the trace is then as long as a hand's.
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
    await page.evaluate(() => new Promise(resolve => requestAnimationFrame(resolve)))
  }
  await page.mouse.up()
}
