import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { receiveCode, signInByPhone } from '../phone/testing.ts'
import { receiveLink } from '../recovery/testing.ts'
import { createTestAuthenticator } from '../second-factor/testing-authenticator.ts'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import type { Releasable } from './releases.ts'
import { ownEmail } from './testing.ts'

const phone = '+8613800138000'
const mail = 'me@example.com'
const minuteMs = 60_000

let test: TestServer
beforeEach(async () => {
  test = await startTestServer({ signup: 'open' })
})
afterEach(() => test.stop())

const profileOf = async (browser: TestBrowser) => (await browser.get('/api/profile/')).json()[0]
const isSignedIn = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().logged_in
async function bind(browser: TestBrowser): Promise<number> {
  const code = await receiveCode(test, browser, { scene: 'bind', phone })
  return (await browser.post('/api/verify/phone/bind/', { phone, code })).status
}

describe('what the operator takes away', () => {
  it('of numbers, can be bound by another account', async () => {
    const owner = await test.signIn()
    expect(await bind(owner)).toBe(200)
    expect(await test.server.admin.release(phone, 'phone', false)).toBe('released')
    expect(await isSignedIn(owner)).toBe(false)
    expect(await test.server.admin.release('admin', 'phone', false)).toBe('none')
    expect(await profileOf(await test.signIn())).toMatchObject({
      phone_number: '',
      phone_bound_at: null,
    })
    test.clock.advance(minuteMs)
    expect(await bind(await test.signUp('second'))).toBe(200)
  })

  it('of addresses, can be confirmed by another account, and the link to it is void', async () => {
    const owner = await test.signIn()
    await ownEmail(test, owner, mail)
    const token = await receiveLink(test, mail)
    expect(await test.server.admin.release(mail, 'email', false)).toBe('released')
    expect(await isSignedIn(owner)).toBe(false)
    const second = await test.signUp('second')
    const reset = { token, password: 'another long password' }
    expect((await second.post('/api/verify/password/link/reset/', reset)).status).toBe(404)
    await ownEmail(test, second, mail)
    expect(await profileOf(second)).toMatchObject({ email: mail })
    expect(await profileOf(await test.signIn())).toMatchObject({ email: '' })
  })

  it('is not the last way in, unless the operator insists', async () => {
    const bare = await signInByPhone(test, phone)
    await ownEmail(test, bare, mail)
    // The number opens the account without the address, but not the other way round.
    expect(await test.server.admin.release(mail, 'email', false)).toBe('released')
    expect(await test.server.admin.release(phone, 'phone', false)).toBe('last_way_in')
    test.clock.advance(minuteMs)
    expect(await isSignedIn(await signInByPhone(test, phone))).toBe(true)
    expect(await test.server.admin.release(phone, 'phone', true)).toBe('released')
    expect(await test.server.admin.release(phone, 'phone', true)).toBe('none')
    test.clock.advance(minuteMs)
    const fresh = await signInByPhone(test, phone)
    expect((await profileOf(fresh)).email).toBe('')
  })

  it('is not the passkey that alone opens an account, unless the operator insists', async () => {
    const bare = await signInByPhone(test, phone)
    const { options } = (await bare.post('/api/user/passkeys/options/', {})).json()
    const response = createTestAuthenticator().create(options)
    expect((await bare.post('/api/user/passkeys/', { name: 'key', response })).status).toBe(201)
    const { username } = await profileOf(bare)
    const take = (what: Releasable, isForced: boolean) =>
      test.server.admin.release(username, what, isForced)
    expect(await take('phone', false)).toBe('released')
    expect(await take('second_factor', false)).toBe('last_way_in')
    expect(await take('second_factor', true)).toBe('released')
    expect(await take('second_factor', true)).toBe('none')
  })

  it('is nothing where there is no such account', async () => {
    expect(await test.server.admin.release('nobody', 'email', true)).toBe('none')
    expect(await test.server.admin.release(admin.account, 'email', true)).toBe('none')
  })
})
