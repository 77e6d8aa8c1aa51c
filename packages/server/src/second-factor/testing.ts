import { Secret, TOTP } from 'otpauth'
import type { TestBrowser, TestServer } from '../testing.ts'

/** An authenticator app: the code of a secret at an instant of the test's clock, `steps` later. */
export const codeAt = (secret: string, now: number, steps = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now + steps * 30_000 })

/** Turns two-step codes on for whoever is signed in; the code of the present step is used up by it. */
export async function turnOn(
  test: TestServer,
  browser: TestBrowser,
): Promise<{ secret: string; recoveryCodes: string[] }> {
  const enrolment = await browser.post('/api/user/second-factor/enrolment/')
  if (enrolment.status !== 201) throw new Error(`no enrolment: ${enrolment.text}`)
  const { secret } = enrolment.json()
  const code = codeAt(secret, test.clock.now())
  const confirmed = await browser.post('/api/user/second-factor/confirm/', { code })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.text}`)
  return { secret, recoveryCodes: confirmed.json().recovery_codes }
}
