import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
} from '../testing.ts'
import { codeAt, turnOn } from './testing.ts'
import {
  type AnswerOptions,
  createTestAuthenticator,
  type TestAuthenticator,
} from './testing-authenticator.ts'

let test: TestServer
let owner: TestBrowser
let authenticator: TestAuthenticator
beforeEach(async () => {
  test = await startTestServer()
  owner = await test.signIn()
  authenticator = createTestAuthenticator()
})
afterEach(() => test.stop())

const minuteMs = 60_000
const codeOf = (answer: TestAnswer) => [answer.status, answer.problem().code]
const own = '/api/user/passkeys/'

async function open(): Promise<TestBrowser> {
  const browser = test.open()
  await browser.get('/api/login_status/')
  return browser
}
async function begin(browser: TestBrowser) {
  const answer = await browser.post(`${own}options/`, {})
  expect(answer.status).toBe(200)
  return answer.json().options
}
async function add(browser = owner, key = authenticator, name = 'phone'): Promise<TestAnswer> {
  const options = await begin(browser)
  return browser.post(own, { name, response: key.create(options) })
}
const beginSignIn = async (browser: TestBrowser) =>
  (await browser.post('/custom/passkey/options/')).json().options
const finish = (browser: TestBrowser, response: object) =>
  browser.post('/custom/passkey/login/', { response })
async function signIn(
  how?: AnswerOptions,
  key = authenticator,
): Promise<[TestBrowser, TestAnswer]> {
  const browser = await open()
  return [browser, await finish(browser, key.get(await beginSignIn(browser), how))]
}
const refused = [422, 'passkey_refused']

describe('own passkeys', () => {
  it('are added, listed, renamed and taken away', async () => {
    const added = await add()
    expect(added.status).toBe(201)
    const passkey = added.json()
    expect(passkey).toMatchObject({ name: 'phone', is_synced: false, last_used_at: null })
    expect((await owner.get(own)).json()).toEqual([passkey])
    const renamed = await owner.send('PATCH', `${own}${passkey.id}/`, { name: ' key ' })
    expect(renamed.json()).toEqual({ ...passkey, name: 'key' })
    expect((await owner.send('DELETE', `${own}${passkey.id}/`)).status).toBe(204)
    expect((await owner.get(own)).json()).toEqual([])
    const [, answer] = await signIn()
    expect(codeOf(answer)).toEqual(refused)
  })

  it('ask the authenticator to verify the user and to be found without a name', async () => {
    const options = await begin(owner)
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32)
    await owner.post(own, { name: 'phone', response: authenticator.create(options) })
    const again = await begin(owner)
    expect(again.excludeCredentials).toMatchObject([{ id: authenticator.id }])
    expect(again.user.id).toBe(options.user.id)
  })

  it('of another user answer like absent ones', async () => {
    const { id } = (await add()).json()
    const other = await test.signUp('li-wei')
    for (const place of [id, 999_999]) {
      const renamed = await other.send('PATCH', `${own}${place}/`, { name: 'mine' })
      expect(codeOf(renamed)).toEqual([404, 'not_found'])
      const removed = await other.send('DELETE', `${own}${place}/`)
      expect(codeOf(removed)).toEqual([404, 'not_found'])
    }
    expect((await other.get(own)).json()).toEqual([])
    expect((await owner.get(own)).json()).toMatchObject([{ id, name: 'phone' }])
    // The same credential cannot be claimed by a second account either.
    expect(codeOf(await add(other))).toEqual(refused)
  })

  it('need a recent sign-in to be added or taken away', async () => {
    const { id } = (await add()).json()
    test.clock.advance(10 * minuteMs)
    for (const answer of [
      await owner.post(`${own}options/`, {}),
      await owner.post(own, {}),
      await owner.send('DELETE', `${own}${id}/`),
    ]) {
      expect(codeOf(answer)).toEqual([403, 'recent_sign_in_required'])
    }
  })

  it('confirm their owner before a sensitive change, and nobody else', async () => {
    await add()
    test.clock.advance(10 * minuteMs)
    const path = '/custom/reauthenticate/passkey/'
    const confirm = async (browser: TestBrowser) =>
      browser.post(path, { response: authenticator.get(await beginSignIn(browser)) })
    const other = await test.signUp('other')
    expect(codeOf(await confirm(other))).toEqual(refused)
    const options = await beginSignIn(owner)
    const unverified = authenticator.get(options, { isVerified: false })
    expect(codeOf(await owner.post(path, { response: unverified }))).toEqual(refused)
    const late = await owner.post('/api/user/token-reset/')
    expect(codeOf(late)).toEqual([403, 'recent_sign_in_required'])
    expect((await confirm(owner)).status).toBe(200)
    expect((await owner.post('/api/user/token-reset/')).status).toBe(200)
  })

  it('need a two-step code to be added where those are on', async () => {
    const { secret } = await turnOn(test, owner)
    test.clock.advance(minuteMs)
    expect(codeOf(await owner.post(`${own}options/`, {}))).toEqual([401, 'second_factor_required'])
    const second_factor = codeAt(secret, test.clock.now())
    const answer = await owner.post(`${own}options/`, { second_factor })
    const response = authenticator.create(answer.json().options)
    expect((await owner.post(own, { name: 'phone', response })).status).toBe(201)
  })

  it.each<[string, AnswerOptions]>([
    ['another origin', { origin: 'http://evil.localhost:8080' }],
    ['another name', { rpId: 'evil.localhost' }],
    ['no verified user', { isVerified: false }],
  ])('are refused with %s', async (_, how) => {
    const response = authenticator.create(await begin(owner), how)
    expect(codeOf(await owner.post(own, { name: 'phone', response }))).toEqual(refused)
  })

  it('are refused with a challenge of another session, another purpose, late or used', async () => {
    const attempt = async (challenge: string) => {
      const options = { ...(await begin(owner)), challenge }
      return codeOf(
        await owner.post(own, { name: 'phone', response: authenticator.create(options) }),
      )
    }
    expect(await attempt((await begin(await test.signIn())).challenge)).toEqual(refused)
    expect(await attempt((await beginSignIn(owner)).challenge)).toEqual(refused)
    expect(await attempt('made-up')).toEqual(refused)
    const old = await begin(owner)
    test.clock.advance(5 * minuteMs)
    expect(await attempt(old.challenge)).toEqual(refused)
    const options = await begin(owner)
    const response = authenticator.create(options)
    expect((await owner.post(own, { name: 'phone', response })).status).toBe(201)
    expect(await attempt(options.challenge)).toEqual(refused)
  })

  it('end at twenty', async () => {
    for (let n = 0; n < 20; n += 1) {
      expect((await add(owner, createTestAuthenticator())).status).toBe(201)
    }
    expect(codeOf(await owner.post(`${own}options/`, {}))).toEqual([409, 'passkey_limit'])
    // And no recovery code is used up for that answer.
    const [second_factor] = (await turnOn(test, owner)).recoveryCodes
    const answer = await owner.post(`${own}options/`, { second_factor })
    expect(codeOf(answer)).toEqual([409, 'passkey_limit'])
    const state = (await owner.get('/api/user/second-factor/')).json()
    expect(state).toMatchObject({ recovery_codes_left: 10 })
  })
})

describe('signing in with a passkey', () => {
  beforeEach(async () => {
    expect((await add()).status).toBe(201)
  })

  it('begins a session that nobody knew before, also where two-step codes are on', async () => {
    await turnOn(test, owner)
    const planted = 'A'.repeat(43)
    const browser = test.open()
    browser.cookies.set('hp_session', planted)
    await browser.get('/api/login_status/')
    const answer = await finish(browser, authenticator.get(await beginSignIn(browser)))
    expect(answer.status).toBe(200)
    expect(answer.json().id).toBe((await owner.get('/api/login_status/')).json().id)
    expect(browser.cookies.get('hp_session')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(browser.cookies.get('hp_session')).not.toBe(planted)
    expect((await browser.get('/api/user/sessions/')).json()).toHaveLength(2)
    const [passkey] = (await owner.get(own)).json()
    expect(passkey.last_used_at).toBe(new Date(test.clock.now()).toISOString())
  })

  it('ends when the operator takes the second factor of an account away', async () => {
    const outcome = await test.server.admin.release(admin.account, 'second_factor', false)
    expect(outcome).toBe('released')
    const [, answer] = await signIn()
    expect(codeOf(answer)).toEqual(refused)
  })

  it('tells nobody whether anybody has a passkey', async () => {
    const options = await beginSignIn(await open())
    expect(options.allowCredentials ?? []).toEqual([])
    expect(options.userVerification).toBe('required')
  })

  it.each<[string, AnswerOptions]>([
    ['another origin', { origin: 'https://localhost:8080' }],
    ['another name', { rpId: 'evil.localhost' }],
    ['a user who only touched it', { isVerified: false }],
    ['a counter that did not grow', { counter: 1 }],
    ['a counter of nothing', { counter: 0 }],
    ['the handle of nobody', { userHandle: 'AAAA' }],
  ])('is refused with %s', async (_, how) => {
    const [browser, answer] = await signIn(how)
    expect(codeOf(answer)).toEqual(refused)
    expect(browser.cookies.has('hp_session')).toBe(false)
  })

  it('is refused with the signature of another key', async () => {
    const stranger = createTestAuthenticator()
    const browser = await open()
    const options = await beginSignIn(browser)
    stranger.create({ ...options, user: { id: 'AAAA' }, rp: { id: 'localhost' } })
    const theirs = stranger.get(options) as { response: object }
    const mine = authenticator.get(options) as { response: object }
    expect(codeOf(await finish(browser, { ...mine, response: theirs.response }))).toEqual(refused)
  })

  it('takes an answer once, in its own browser, in time', async () => {
    const browser = await open()
    const stolen = authenticator.get(await beginSignIn(browser))
    expect(codeOf(await finish(await open(), stolen))).toEqual(refused)
    // Refused elsewhere, it still counts here: a stranger cannot use it up.
    expect((await finish(browser, stolen)).status).toBe(200)
    expect(codeOf(await finish(browser, stolen))).toEqual(refused)
    const slow = await open()
    const late = authenticator.get(await beginSignIn(slow))
    test.clock.advance(5 * minuteMs)
    expect(codeOf(await finish(slow, late))).toEqual(refused)
  })

  it('lets exactly one of many answers at once win', async () => {
    const browser = await open()
    const response = authenticator.get(await beginSignIn(browser))
    const answers = await Promise.all([1, 2, 3, 4].map(() => finish(browser, response)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
  })

  it('refuses a call from another origin', async () => {
    const browser = await open()
    const response = authenticator.get(await beginSignIn(browser))
    const headers = { Origin: 'http://evil.localhost:8080' }
    const answer = await browser.post('/custom/passkey/login/', { response }, { headers })
    expect(codeOf(answer)).toEqual([403, 'csrf_failed'])
  })

  it('limits how many challenges an address asks for', async () => {
    const browser = await open()
    for (let n = 0; n < 30; n += 1) await beginSignIn(browser)
    const answer = await browser.post('/custom/passkey/options/')
    expect(codeOf(answer)).toEqual([429, 'rate_limited'])
  })
})

it('passkeys are not offered under an address that is not the console’s own name', async () => {
  const other = await startTestServer({ consoleUrl: 'http://192.0.2.7:8080' })
  try {
    const browser = await other.signIn(admin)
    expect(codeOf(await browser.post(`${own}options/`, {}))).toEqual([409, 'passkeys_unavailable'])
    expect(codeOf(await browser.post('/custom/passkey/options/'))).toEqual([
      409,
      'passkeys_unavailable',
    ])
  } finally {
    await other.stop()
  }
})
