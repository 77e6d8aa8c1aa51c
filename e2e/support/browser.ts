import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { noteContext } from './evidence.ts'

const artefacts = fileURLToPath(new URL('../../artefacts/screenshots/', import.meta.url))

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The two widths every screen is looked at. */
export const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
}

/** Chromium without the parts that only a window needs: a fifth less processor time (59.6 and 46.8 s for two files of stories). */
const headlessShell = '/usr/bin/chromium-headless-shell'

const systemChromium = existsSync(headlessShell) ? headlessShell : '/usr/bin/chromium'

/** Starts the system's Chromium; `HOMEPORT_TEST_CHROMIUM` names another one. */
export const startBrowser = (extra: readonly string[] = []): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.HOMEPORT_TEST_CHROMIUM ?? systemChromium,
    args: [...flags, ...extra],
  })

/** A fresh, signed-out browser profile in Chinese. */
export async function openProfile(
  browser: Browser,
  viewport = viewports.desktop,
): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
  })
  noteContext(context)
  return context
}

/** Keeps a picture of the page at both widths as an artefact of the run. */
export async function keepScreenshots(page: Page, name: string): Promise<void> {
  await mkdir(artefacts, { recursive: true })
  const before = page.viewportSize()
  for (const [width, viewport] of Object.entries(viewports)) {
    await page.setViewportSize(viewport)
    await page.evaluate(() => document.fonts.ready.then(() => undefined))
    await page.screenshot({ path: join(artefacts, `${name}-${width}.png`), animations: 'disabled' })
  }
  if (before !== null) await page.setViewportSize(before)
}
