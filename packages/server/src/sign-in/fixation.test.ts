import { startSso } from '@homeport/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiveCode } from '../phone/testing.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { createTestAuthenticator } from '../second-factor/testing-authenticator.ts'
import { passProvider, startTestProvider, type TestProvider } from '../sso/testing-oidc.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

// Whatever a stranger planted in a browser before somebody signs in there is worth nothing to the stranger afterwards, at every door.

let test: TestServer
let provider: TestProvider
beforeAll(async () => {
  provider = await startTestProvider('http://localhost:8080')
  const { issuer, client } = provider
  test = await startTestServer({
    oidc: { issuer, ...client, label: 'Test', scopes: ['openid', 'profile'] },
    signup: 'open',
    limits: { callBurst: 10_000, failedSignInBurst: 1_000 },
  })
})
// So that neither new accounts nor text messages of one address run out.
beforeEach(() => test.clock.advance(120_000))
afterAll(async () => {
  await test.stop()
  await provider.stop()
})

/** All that the doors gave out or took: whoever reads the log must not find it there. */
const secrets = new Set<string>([admin.password])

const post = async (browser: TestBrowser, path: string, body?: object) => {
  const answer = await browser.post(path, body)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.json()
}
const account = () => ({
  username: `u${crypto.randomUUID().slice(0, 8)}`,
  password: 'a long password nobody knows',
  accepted_terms_of_service: true,
})

/** Every way in. What has to be there before is made first; then the given browser goes through. */
const doors: Record<string, () => Promise<(browser: TestBrowser) => Promise<unknown>>> = {
  password: async () => browser => post(browser, '/custom/login/', admin),
  'sign-up': async () => browser => post(browser, '/custom/signup/', account()),
  'set-up': async () => {
    const code = (await test.server.admin.createSetupLink()).split('code=')[1]
    const { username, password } = account()
    secrets.add(code ?? '')
    return browser => post(browser, '/custom/setup/', { code, username, password })
  },
  'a code after the password': async () => {
    const owner = test.open()
    await owner.get('/api/login_status/')
    const own = account()
    await post(owner, '/custom/signup/', own)
    const { secret, recoveryCodes } = await turnOn(test, owner)
    for (const each of [secret, ...recoveryCodes, own.password]) secrets.add(each)
    return async browser => {
      const typed = { account: own.username, password: own.password }
      const first = await browser.post('/custom/login/', typed)
      expect(first.problem().code).toBe('second_factor_required')
      const code = codeAt(secret, test.clock.now(), 1)
      return post(browser, '/custom/login/second-step/', { second_factor: code })
    }
  },
  passkey: async () => {
    const owner = await test.signIn()
    const authenticator = createTestAuthenticator()
    const { options } = await post(owner, '/api/user/passkeys/options/', {})
    await post(owner, '/api/user/passkeys/', {
      name: 'key',
      response: authenticator.create(options),
    })
    return async browser => {
      const { options: asked } = await post(browser, '/custom/passkey/options/')
      return post(browser, '/custom/passkey/login/', { response: authenticator.get(asked) })
    }
  },
  phone: async () => async browser => {
    const phone = '+8613800138000'
    const code = await receiveCode(test, browser, { scene: 'login', phone })
    return post(browser, '/api/verify/login/phone/', { phone, code })
  },
  'another service': async () => async browser => {
    const { login_url: address } = await browser.call(startSso, { body: { provider: 'oidc' } })
    const { searchParams } = await passProvider(address, 'fixation')
    for (const name of ['code', 'state']) secrets.add(searchParams.get(name) ?? '')
    const answer = await browser.get(`/custom/check/?${searchParams}`)
    expect(answer.status).toBe(200)
    return answer.json()
  },
}

const isSignedIn = async (cookies: Record<string, string>): Promise<boolean> => {
  const browser = test.open()
  for (const [name, value] of Object.entries(cookies)) browser.cookies.set(name, value)
  return (await browser.get('/api/login_status/')).json().logged_in
}

describe.each(Object.entries(doors))('the door: %s', (_, prepare) => {
  it.each(['before any sign-in', 'with a session of the stranger'])(
    'what was planted %s is worth nothing behind it',
    async state => {
      const enter = await prepare()
      const browser = test.open()
      await browser.get('/api/login_status/')
      if (state.startsWith('with')) await post(browser, '/custom/signup/', account())
      const planted = Object.fromEntries(browser.cookies)
      await enter(browser)
      for (const value of browser.cookies.values()) secrets.add(value)
      const session = browser.cookies.get('hp_session') ?? ''
      expect(session).toMatch(/^[\w-]{43}$/)
      expect(session).not.toBe(planted.hp_session)
      expect(await isSignedIn({ hp_session: session })).toBe(true)
      expect(await isSignedIn(planted)).toBe(false)
      // Nor does the CSRF value of before fit the session that came.
      const forged = await browser.post('/api/user/token-reset/', undefined, {
        headers: { 'X-CSRFToken': planted.csrftoken },
      })
      expect([forged.status, forged.problem().code]).toEqual([403, 'csrf_failed'])
    },
  )

  it('opens a session that dies at once when it is revoked, its live events too', async () => {
    const enter = await prepare()
    const [browser, other] = [test.open(), test.open()]
    await browser.get('/api/login_status/')
    await enter(browser)
    const stream = await browser.openStream('/api/user/events/')
    const ended = new Promise(resolve => stream.once('close', resolve))
    stream.resume()
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    const [{ id }] = (await browser.get('/api/user/sessions/')).json()
    expect((await other.send('DELETE', `/api/user/sessions/${id}/`)).status).toBe(204)
    await ended
    expect((await browser.get('/api/user/sessions/')).status).toBe(401)
  })
})

it('nothing that opens a door stands in the log', () => {
  expect(secrets.size).toBeGreaterThan(50)
  expect(test.log.length).toBeGreaterThan(100)
  const log = test.log.join('')
  expect([...secrets].filter(secret => secret === '' || log.includes(secret))).toEqual([])
})
