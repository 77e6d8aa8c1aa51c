import { randomBytes } from 'node:crypto'
import {
  confirmSecondFactor,
  csrfCookie,
  csrfHeader,
  enrolSecondFactor,
  type Problem,
} from '@homeport/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Account, administrator, setUpAdministrator } from './support/account.ts'
import { createAuthenticatorApp } from './support/authenticator-app.ts'
import { addUser } from './support/console.ts'
import { type Homeport, startHomeport } from './support/processes.ts'

// Lists of stolen passwords and guessed codes, through the door that visitors use: the relay stands before the server here.

/** A signed-out visitor who says whatever it likes about where it comes from. */
async function openStranger(url: string) {
  const first = await fetch(`${url}/api/login_status/`)
  const cookies = first.headers.getSetCookie().map(line => line.split(';', 1)[0] ?? '')
  const csrf = cookies.find(pair => pair.startsWith(`${csrfCookie}=`))?.split('=')[1] ?? ''
  const headers = { origin: url, cookie: cookies.join('; '), [csrfHeader]: csrf }
  /** Tries to sign in; gives `200`, or the code of the refusal. */
  return async (body: object, from: Record<string, string> = {}): Promise<string> => {
    const answer = await fetch(`${url}/custom/login/`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', ...from },
      body: JSON.stringify(body),
    })
    const text = await answer.text()
    return answer.status === 200 ? '200' : (JSON.parse(text) as Problem).code
  }
}

const count = (answers: string[]) =>
  Object.fromEntries(
    [...new Set(answers)].sort().map(code => [code, answers.filter(each => each === code).length]),
  )
const right = { account: administrator.username, password: administrator.password }
const wrong = (index: number) => ({ account: `user${index}`, password: `stolen password ${index}` })
const randomGroups = (groups: number) =>
  Array.from({ length: groups }, () => randomBytes(2).toString('hex')).join(':')
const randomIpv4 = () => `198.51.${randomBytes(2).join('.')}`

describe('at a door that trusts nobody', () => {
  let homeport: Homeport
  beforeAll(async () => {
    homeport = await startHomeport()
    await setUpAdministrator(homeport)
  })
  afterAll(() => homeport?.dispose())

  it('a visitor who forges addresses is the same visitor', async () => {
    const attempt = await openStranger(homeport.url)
    const names = [
      'x-forwarded-for',
      'x-real-ip',
      'forwarded',
      'cf-connecting-ip',
      'true-client-ip',
    ]
    const answers: string[] = []
    for (let index = 0; index < 30; index += 1) {
      const address = index % 2 === 0 ? randomIpv4() : randomGroups(8)
      const from = Object.fromEntries(
        names.map(name => [name, name === 'forwarded' ? `for="${address}"` : address]),
      )
      answers.push(await attempt(wrong(index), from))
    }
    expect(count(answers)).toEqual({ captcha_required: 27, invalid_credentials: 3 })
    // A right pair in the list is not told from a wrong one either.
    expect(await attempt(right, { 'x-forwarded-for': randomIpv4() })).toBe('captcha_required')
  })
})

describe('behind a proxy that is trusted', () => {
  let homeport: Homeport
  let owner: Account
  beforeAll(async () => {
    homeport = await startHomeport(['--trusted-proxies', '127.0.0.1'])
    owner = await setUpAdministrator(homeport)
  })
  afterAll(() => homeport?.dispose())

  const list = async (addressOf: (index: number) => string) => {
    const attempt = await openStranger(homeport.url)
    const answers: string[] = []
    for (let index = 0; index < 12; index += 1) {
      answers.push(await attempt(wrong(index + 100), { 'x-forwarded-for': addressOf(index) }))
    }
    return count(answers)
  }
  const held = { captcha_required: 9, invalid_credentials: 3 }

  it('one visitor behind it is one, whatever stands before its address', async () => {
    expect(await list(() => `${randomIpv4()}, ${randomGroups(8)}, 203.0.113.7`)).toEqual(held)
  })

  it('all addresses of a /64 are one', async () => {
    expect(await list(() => `2001:db8:7:7:${randomGroups(4)}`)).toEqual(held)
    expect(await list(index => `2001:db8:7:7::${index + 1}`)).toEqual({ captcha_required: 12 })
    // Addresses of other networks are others: the limit above is no limit of everybody.
    const attempt = await openStranger(homeport.url)
    const elsewhere = { 'x-forwarded-for': '2001:db8:7:8::1' }
    expect(await attempt(wrong(900), elsewhere)).toBe('invalid_credentials')
  })

  describe('two-step codes', () => {
    let recoveryCodes: string[]
    let app: ReturnType<typeof createAuthenticatorApp>
    const user = { username: 'liangbu', password: 'a long password' }
    const signIn = async (second_factor: string, index: number) => {
      const attempt = await openStranger(homeport.url)
      const from = { 'x-forwarded-for': `203.0.113.${index + 20}` }
      return attempt({ account: user.username, password: user.password, second_factor }, from)
    }
    beforeAll(async () => {
      const account = await addUser(homeport, owner, user)
      const { secret } = await account.client.call(enrolSecondFactor, {})
      app = createAuthenticatorApp(secret)
      const confirmed = await account.client.call(confirmSecondFactor, {
        body: { code: app.next() },
      })
      recoveryCodes = confirmed.recovery_codes
    })

    it('a recovery code that ten places show at once opens one of them', async () => {
      const [code = ''] = recoveryCodes
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => signIn(code, index)),
      )
      expect(answers.filter(answer => answer === '200')).toHaveLength(1)
    })

    it('guesses that come at once from everywhere are held to five, and then the right one waits too', async () => {
      const guesses = Array.from({ length: 25 }, (_, index) => String(100_000 + index * 7))
      const answers = await Promise.all(guesses.map((guess, index) => signIn(guess, index + 10)))
      // From the race before, wrong codes are counted already.
      const { second_factor_wrong: taken = 0, ...refused } = count(answers)
      expect(taken).toBeLessThanOrEqual(5)
      // A password that is still being compared counts as a wrong one, so some were asked for a captcha.
      const refusals = ['captcha_required', 'rate_limited']
      expect(Object.keys(refused).filter(code => !refusals.includes(code))).toEqual([])
      expect(refused.rate_limited).toBeGreaterThan(0)
      expect(await signIn(app.next(), 99)).toBe('rate_limited')
    })
  })
})
