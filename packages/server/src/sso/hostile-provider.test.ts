import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { startSso } from '@homeport/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { OidcSettings } from '../config.ts'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'
import {
  type HostileKeys,
  type HostileProvider,
  hostileClient,
  type Lies,
  signToken,
  startHostileProvider,
} from './testing-hostile-oidc.ts'
import { startTestWechat } from './testing-wechat.ts'

// A provider that was configured and has turned, or was broken into: nobody is signed in by what it must not say.

let provider: HostileProvider
let test: TestServer
beforeEach(async () => {
  provider = await startHostileProvider()
  test = await startTestServer({
    oidc: {
      issuer: provider.issuer,
      ...hostileClient,
      label: 'Test',
      scopes: ['openid', 'profile'],
    },
    signup: 'open',
  })
})
afterEach(async () => {
  await test.stop()
  await provider.stop()
})

async function openBrowser(): Promise<TestBrowser> {
  const browser = test.open()
  await browser.get('/api/login_status/')
  return browser
}
const begin = (browser: TestBrowser) => browser.call(startSso, { body: { provider: 'oidc' } })

/** How a whole sign-on ends at a provider that tells these lies: the account, or the code of the refusal. */
async function signOn(lies: Lies): Promise<number | string> {
  const browser = await openBrowser()
  provider.lie(lies)
  const begun = await browser.post(startSso.path, { provider: 'oidc' })
  if (begun.status !== 200) return begun.problem().code
  const back = provider.agree(begun.json().login_url)
  const answer = await browser.get(`/custom/check/${back.search}`)
  const { id } = (await browser.get('/api/login_status/')).json()
  if (answer.status === 200) return answer.json().id
  expect(id).toBe(null)
  return answer.problem().code
}

const signing = (
  header: object,
  key: (keys: HostileKeys) => Parameters<typeof signToken>[2],
): Lies => ({
  token: (claims, keys) => signToken(header, claims, key(keys)),
})
const claiming = (change: Record<string, unknown>): Lies => ({
  claims: honest => ({ ...honest, ...change }),
})
const hourAgo = () => Math.floor(Date.now() / 1000) - 3600
const answering = (write: (response: ServerResponse) => void): Lies => ({
  answer: { token: write },
})

describe('an ID token', () => {
  it('that is right signs in, and the same person again', async () => {
    const id = await signOn({})
    expect(id).toEqual(expect.any(Number))
    expect(await signOn({})).toBe(id)
    const other = await signOn(claiming({ sub: 'wang' }))
    expect(other).toEqual(expect.any(Number))
    expect(other).not.toBe(id)
  })

  it.each<[string, Lies]>([
    ['has no signature', signing({ alg: 'none' }, () => null)],
    ['has none, spelt oddly', signing({ alg: 'nOnE' }, () => null)],
    ['has an empty one', signing({ alg: 'RS256', kid: 'own' }, () => null)],
    [
      'is signed with the client secret',
      signing({ alg: 'HS256' }, () => hostileClient.clientSecret),
    ],
    [
      'is signed with the public key',
      signing({ alg: 'HS256', kid: 'own' }, keys => keys.published),
    ],
    ['is signed by somebody else', signing({ alg: 'RS256', kid: 'own' }, keys => keys.foreign)],
    [
      'names a key of its own',
      signing({ alg: 'RS256', kid: 'x', jku: 'http://127.0.0.1:1/' }, keys => keys.foreign),
    ],
    [
      'wants something that nobody understands',
      signing({ alg: 'RS256', kid: 'own', crit: ['x'], x: 1 }, keys => keys.own),
    ],
    ['is no token', { token: () => 'not.a.token' }],
    ['is encrypted', { token: () => 'a.b.c.d.e' }],
    ['is of another issuer', claiming({ iss: 'https://accounts.example' })],
    ['is of nearly this issuer', { claims: honest => ({ ...honest, iss: `${honest.iss}/` }) }],
    ['has no issuer', claiming({ iss: undefined })],
    ['is for somebody else', claiming({ aud: 'another' })],
    ['is for two, and one of them presents it', claiming({ aud: ['homeport', 'another'] })],
    ['was given to somebody else', claiming({ aud: ['homeport'], azp: 'another' })],
    ['is for nobody', claiming({ aud: undefined })],
    ['is for an empty list', claiming({ aud: [] })],
    ['is over', { claims: honest => ({ ...honest, iat: hourAgo(), exp: hourAgo() + 60 }) }],
    ['is never over', claiming({ exp: undefined })],
    ['is over at a word', claiming({ exp: 'never' })],
    ['is not valid yet', { claims: honest => ({ ...honest, nbf: hourAgo() + 7200 }) }],
    ['was never issued', claiming({ iat: undefined })],
    ['has no nonce', claiming({ nonce: undefined })],
    ['has an empty nonce', claiming({ nonce: '' })],
    ['has the nonce of another sign-on', claiming({ nonce: 'A'.repeat(22) })],
    ['has a list of nonces', { claims: honest => ({ ...honest, nonce: [honest.nonce] }) }],
    ['names nobody', claiming({ sub: undefined })],
    ['names an empty person', claiming({ sub: '' })],
    ['names a number', claiming({ sub: 1 })],
    ['names a thing', claiming({ sub: { toString: 'li' } })],
    ['names a list', claiming({ sub: ['li'] })],
    ['names a person whose name ends in the middle', claiming({ sub: 'li\0' })],
    ['names a person as long as a book', claiming({ sub: 'l'.repeat(100_000) })],
  ])('that %s signs nobody in', async (_, lies) => {
    expect(['sso_refused', 'sso_unavailable']).toContain(await signOn(lies))
    const log = test.log.join('')
    for (const token of provider.tokens.filter(each => each.length > 20)) {
      expect(log).not.toContain(token)
    }
  })
})

describe('when it says that it saw the person', () => {
  it.each(['now', -1, null, { valueOf: 1 }])('%j signs nobody in', async auth_time => {
    expect(await signOn(claiming({ auth_time }))).toBe('sso_refused')
  })

  it.each([1.0005, 1e300, Number.MAX_SAFE_INTEGER])('%j makes no recent one', async auth_time => {
    const browser = await openBrowser()
    provider.lie(claiming({ auth_time }))
    const back = provider.agree((await begin(browser)).login_url)
    expect((await browser.get(`/custom/check/${back.search}`)).status).toBe(200)
    const answer = await browser.post('/api/user/token-reset/')
    expect(answer.problem().code).toBe('recent_sign_in_required')
  })
})

describe('an answer of one provider', () => {
  it('names its own people: another issuer that knows the same name has another person', async () => {
    const id = await signOn({})
    const second = await startHostileProvider()
    const { dataFolder, secretKey } = test.settings
    const oidc = { ...(test.settings.oidc as OidcSettings), issuer: second.issuer }
    const moved = await startTestServer({ oidc, signup: 'open', dataFolder, secretKey })
    const browser = moved.open()
    await browser.get('/api/login_status/')
    const begun = await begin(browser)
    const answer = await browser.get(`/custom/check/${second.agree(begun.login_url).search}`)
    expect(answer.json()).toMatchObject({ id: expect.any(Number) })
    expect(answer.json().id).not.toBe(id)
    await moved.stop()
    await second.stop()
  })

  it('is brought to no other one, though the browser began at both', async () => {
    const wechat = await startTestWechat('localhost:8080')
    const both = await startTestServer({
      oidc: { ...test.settings.oidc, issuer: provider.issuer } as OidcSettings,
      wechat: { ...wechat.app, apiUrl: wechat.url },
    })
    const browser = both.open()
    await browser.get('/api/login_status/')
    const started = async (name: string) =>
      (await browser.call(startSso, { body: { provider: name } })).login_url
    const stateOf = (address: string) => new URL(address).searchParams.get('state') ?? ''
    const back = wechat.confirm(await started('wechat'), { openid: 'o', nickname: 'Li' })
    const stolen = back.searchParams.get('code') ?? ''
    // A code of the hostile one in what began elsewhere: refused by who is asked for it, and never by the hostile one.
    for (const name of ['wechat', 'homeport']) {
      const query = new URLSearchParams({ code: 'theirs', state: stateOf(await started(name)) })
      const answer = await browser.get(`/custom/check/?${query}`)
      expect(answer.problem().code).toBe('sso_refused')
    }
    expect(provider.codes).toEqual([])
    // The issuer that an answer names tells whose it is, where it names one (RFC 9207).
    const address = await started('oidc')
    const iss = 'https://accounts.example'
    const mixed = new URLSearchParams({ code: stolen, state: stateOf(address), iss })
    const answer = await browser.get(`/custom/check/?${mixed}`)
    expect(answer.problem().code).toBe('sso_refused')
    expect(provider.codes).toEqual([])
    await both.stop()
    await wechat.stop()
  })
})

describe('an answer of the token endpoint', () => {
  it.each<[string, (response: ServerResponse) => void]>([
    ['is empty', response => response.end()],
    ['is a page', response => response.setHeader('content-type', 'text/html').end('<p>')],
    ['is no object', response => response.setHeader('content-type', 'application/json').end('[]')],
    [
      'leads elsewhere',
      response => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
    ],
    ['breaks off', response => response.destroy()],
    [
      'has no ID token',
      response =>
        response
          .setHeader('content-type', 'application/json')
          .end('{"access_token":"access","token_type":"Bearer"}'),
    ],
    [
      'reaches for prototypes',
      response =>
        response
          .setHeader('content-type', 'application/json')
          .end('{"__proto__":{"access_token":"x","token_type":"Bearer"},"id_token":"a.b.c"}'),
    ],
  ])('that %s signs nobody in', async (_, write) => {
    expect(['sso_refused', 'sso_unavailable']).toContain(await signOn(answering(write)))
  })

  it('that never ends is not read to its end', async () => {
    let sent = 0
    const lies = answering(response => {
      response.setHeader('content-type', 'application/json')
      const chunk = 'A'.repeat(64 * 1024)
      function* endless() {
        yield '{"access_token":"'
        for (; sent < 512 * 1024 * 1024; sent += chunk.length) yield chunk
      }
      // Ends with the reader that hangs up.
      pipeline(Readable.from(endless()), response, () => {})
    })
    expect(await signOn(lies)).toBe('sso_unavailable')
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
})

describe('a description of the provider', () => {
  it.each<[string, (honest: Record<string, unknown>) => Record<string, unknown>]>([
    ['of another issuer', honest => ({ ...honest, issuer: 'https://accounts.example' })],
    ['without an issuer', ({ issuer: _, ...rest }) => rest],
    ['without a page', ({ authorization_endpoint: _, ...rest }) => rest],
    [
      'with a script for a page',
      honest => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }),
    ],
    [
      'with data for a page',
      honest => ({ ...honest, authorization_endpoint: 'data:text/html,<script>alert(1)</script>' }),
    ],
    ['with a file for a page', honest => ({ ...honest, authorization_endpoint: 'file:///etc' })],
    ['with no address for a page', honest => ({ ...honest, authorization_endpoint: '/authorize' })],
    ['with a list for a page', honest => ({ ...honest, authorization_endpoint: ['https://a/'] })],
  ])('%s leads nobody anywhere', async (_, metadata) => {
    expect(await signOn({ metadata })).toBe('sso_unavailable')
  })
})

describe('what it says of a person', () => {
  it.each<[string, Record<string, unknown>]>([
    ['another one', { sub: 'wang', name: 'Wang' }],
    ['nobody', { name: 'Wang' }],
  ])('is refused where it is about %s', async (_, person) => {
    expect(['sso_refused', 'sso_unavailable']).toContain(await signOn({ person }))
  })

  it.each([
    ['admin', /^admin-[a-z2-9]{6}$/],
    ['ＡＤＭＩＮ', /^ADMIN-[a-z2-9]{6}$/],
    ['\u202enimda', /^nimda$/],
    ['<img src=x onerror=alert(1)>', /^img-srcx-onerroralert1$/],
    ['a\0b\0c', /^abc$/],
    ['\ud800\ud800\ud800', /^user-[a-z2-9]{6}$/],
    ['li@example.com', /^liexample.com$/],
    ['13800138000', /^user-[a-z2-9]{6}$/],
    ['x'.repeat(100_000), /^x{24}$/],
    [{ toString: 'admin' }, /^user-[a-z2-9]{6}$/],
    [['admin'], /^user-[a-z2-9]{6}$/],
  ])('the name %j makes no other account’s name', async (name, username) => {
    const browser = await openBrowser()
    provider.lie({ person: { sub: 'li', name } })
    const back = provider.agree((await begin(browser)).login_url)
    expect((await browser.get(`/custom/check/${back.search}`)).status).toBe(200)
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile.username).toMatch(username)
    expect(profile).toMatchObject({ email: '', is_staff: false })
    const [identity] = (await browser.get('/api/user/identities/')).json()
    // Neither what hides nor what turns the reading round is shown to anybody.
    expect(identity.display_name).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
    expect(identity.display_name.length).toBeLessThanOrEqual(100)
  })
})
