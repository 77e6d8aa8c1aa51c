import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { type CaptchaScene, listOutbox, type SmsScene } from '@homeport/contract'
import { vi } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { keepSingleUse } from '../db/single-use.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import type { TestAnswer, TestBrowser, TestServer } from '../testing.ts'

function failOnFault(cause: unknown): never {
  throw cause
}

/** The address of test browsers unless they are given one. */
const usualAddress = '192.0.2.1'

/** A ticket as a solved captcha gives it, written down without drawing one. */
export async function makeTicket(
  { settings, clock }: Pick<TestServer, 'settings' | 'clock'>,
  scene: CaptchaScene,
  address = usualAddress,
): Promise<string> {
  const ticket = randomUUID()
  const file = path.join(settings.dataFolder, 'homeport.sqlite')
  const { db, close } = openDatabase({ file }, failOnFault)
  try {
    await keepSingleUse(db, {
      purpose: 'captcha ticket',
      key: ticket,
      binding: `${scene} ${limitKeyOf(address)}`,
      expiresAt: clock.now() + 300_000,
    })
  } finally {
    await close()
  }
  return ticket
}

/** Messages that went to a number, the newest first. */
export async function listSms(test: TestServer, phone: string) {
  const messages = await test.open({ address: '127.0.0.1' }).call(listOutbox, {})
  return messages.filter(({ to, kind }) => kind === 'sms' && to === phone)
}

/** Asks for a code with a ticket of its own. */
export async function askForCode(
  test: TestServer,
  browser: TestBrowser,
  { scene, phone }: { scene: SmsScene; phone?: string },
  address = usualAddress,
): Promise<TestAnswer> {
  const captcha_ticket =
    scene === 'confirm' || phone === undefined ? undefined : await makeTicket(test, scene, address)
  return browser.post('/api/verify/sms/send/', { scene, phone, captcha_ticket })
}

/** Asks for a code and reads it where it arrived. */
export async function receiveCode(
  test: TestServer,
  browser: TestBrowser,
  { scene, phone, at = phone ?? '' }: { scene: SmsScene; phone?: string; at?: string },
): Promise<string> {
  const before = (await listSms(test, at))[0]?.id ?? 0
  const answer = await askForCode(test, browser, {
    scene,
    ...(phone === undefined ? {} : { phone }),
  })
  if (answer.status !== 200) throw new Error(`no code was sent: ${answer.text}`)
  return vi.waitFor(
    async () => {
      const [newest] = await listSms(test, at)
      if (newest === undefined || newest.id === before) throw new Error(`nothing came to ${at}`)
      return newest.code ?? ''
    },
    { timeout: 15_000, interval: 5 },
  )
}

/** A browser that has its cookies. */
export async function openVisitor(test: TestServer, address = usualAddress): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}

/** A code that is surely another one. */
export const otherThan = (code: string) => (code === '000000' ? '000001' : '000000')

/** A browser in which the owner of a number is signed in; its account is made where sign-up is open. */
export async function signInByPhone(test: TestServer, phone: string): Promise<TestBrowser> {
  const browser = await openVisitor(test)
  const code = await receiveCode(test, browser, { scene: 'login', phone })
  const answer = await browser.post('/api/verify/login/phone/', { phone, code })
  if (answer.status !== 200) throw new Error(`no sign-in: ${answer.text}`)
  return browser
}
