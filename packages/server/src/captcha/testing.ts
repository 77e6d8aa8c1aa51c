import path from 'node:path'
import {
  type Captcha,
  type CaptchaScene,
  type CaptchaTrace,
  type CaptchaValue,
  getCaptcha,
  solveCaptcha as solveCall,
} from '@homeport/contract'
import { openDatabase } from '../db/database.ts'
import { singleUseHash } from '../db/single-use.ts'
import type { TestBrowser, TestServer } from '../testing.ts'
import type { KeptChallenge } from './service.ts'
import { isPartDone, type Work } from './work.ts'

function failOnFault(cause: unknown): never {
  throw cause
}

/** The right value of a challenge, from the server's own database. */
export async function readRightValue(
  { settings }: Pick<TestServer, 'settings'>,
  key: string,
): Promise<CaptchaValue> {
  const file = path.join(settings.dataFolder, 'homeport.sqlite')
  const { db, close } = openDatabase({ file }, failOnFault)
  try {
    const { value } = await db
      .selectFrom('single_uses')
      .select('value')
      .where('key_hash', '=', singleUseHash('captcha', key))
      .executeTakeFirstOrThrow()
    const { kept } = JSON.parse(value) as KeptChallenge
    return kept.kind === 'work' ? { nonces: findNonces(kept.answer) } : kept.answer
  } finally {
    await close()
  }
}

/** Does the work of a challenge. */
export function findNonces(work: Work): number[] {
  return Array.from({ length: work.parts }, (_, part) => {
    let nonce = 0
    while (!isPartDone(work, part, nonce)) nonce += 1
    return nonce
  })
}

/** A trace as a hand draws it: uneven in time and length, ending at the value. */
export function drawTrace(value: CaptchaValue): CaptchaTrace {
  if (Array.isArray(value)) return value.map(({ x, y }, index) => ({ x, y, t: 400 * (index + 1) }))
  if ('nonces' in value) return []
  const [endX, endY] = 'angle' in value ? [value.angle, 0] : [value.x, value.y]
  const shares = [0, 0.04, 0.15, 0.35, 0.62, 0.8, 0.91, 0.97, 1]
  return shares.map((share, index) => ({
    x: endX * share,
    y: endY,
    t: 30 + index * 40 + (index % 3) * 17,
  }))
}

/** Opens a challenge. */
export const openCaptcha = (
  browser: TestBrowser,
  scene: CaptchaScene = 'login',
  kind?: Captcha['kind'],
): Promise<Captcha> =>
  browser.call(getCaptcha, { query: { scene, ...(kind === undefined ? {} : { kind }) } })

/** Gets a ticket as a person would; a sliding puzzle unless told. */
export async function solveCaptcha(
  test: Pick<TestServer, 'settings'>,
  browser: TestBrowser,
  scene: CaptchaScene = 'login',
  kind: Captcha['kind'] = 'slide',
): Promise<string> {
  const { key } = await openCaptcha(browser, scene, kind)
  const value = await readRightValue(test, key)
  const { ticket } = await browser.call(solveCall, {
    body: { key, value, trace: drawTrace(value) },
  })
  return ticket
}
