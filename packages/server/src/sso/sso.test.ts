import { calls, checkSso, startSso } from '@homeport/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ownEmail, readLetters } from '../accounts/testing.ts'
import { codeAt, turnOn } from '../second-factor/testing.ts'
import { createTestAuthenticator } from '../second-factor/testing-authenticator.ts'
import {
  admin,
  startTestServer,
  type TestAnswer,
  type TestBrowser,
  type TestServer,
  type TestSettings,
} from '../testing.ts'
import { passProvider, startTestProvider, type TestProvider } from './testing-oidc.ts'

const consoleUrl = 'http://localhost:8080'
const minuteMs = 60 * 1000

let provider: TestProvider
let test: TestServer

async function start(settings: TestSettings = {}): Promise<void> {
  const { issuer, client } = provider
  const oidc = { issuer, ...client, label: 'Test', scopes: ['openid', 'profile'] }
  // The provider's clock is the machine's, and the two agree.
  test = await startTestServer({ oidc, signup: 'open', startAt: Date.now(), ...settings })
}

beforeEach(async () => {
  provider = await startTestProvider(consoleUrl)
  await start()
})
afterEach(async () => {
  await test.stop()
  await provider.stop()
})

async function openBrowser(address = '192.0.2.1'): Promise<TestBrowser> {
  const browser = test.open({ address })
  await browser.get('/api/login_status/')
  return browser
}

/** What the provider sent back, as the page /check asks the server to finish it. */
const checkPath = (back: URL) => {
  const { searchParams } = back
  const names = ['code', 'state', 'iss'].filter(name => searchParams.has(name))
  const query = new URLSearchParams(names.map(name => [name, searchParams.get(name) ?? '']))
  return `/custom/check/?${query}`
}

async function begin(browser: TestBrowser, name: string | null, body: object = {}): Promise<URL> {
  const { login_url: address } = await browser.call(startSso, {
    body: { provider: 'oidc', ...body },
  })
  return passProvider(address, name)
}

const finish = async (browser: TestBrowser, back: URL) => browser.get(checkPath(back))
const outcome = (answer: TestAnswer) =>
  answer.status === 200 ? 200 : [answer.status, answer.problem().code]
const signedInAs = async (browser: TestBrowser) =>
  (await browser.get('/api/login_status/')).json().id

/** Links an identity to whoever is signed in. */
async function link(browser: TestBrowser, name: string): Promise<TestAnswer> {
  const begun = await browser.post('/api/user/identities/', { provider: 'oidc' })
  return finish(browser, await passProvider(begun.json().login_url, name))
}

describe('signing in with an OpenID Connect provider', () => {
  it('makes an account at the first time, and finds it again', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming', { accepted_terms_of_service: true })
    const callback = await browser.get(`${back.pathname}${back.search}`)
    expect(callback.status).toBe(303)
    expect(callback.headers.location).toMatch(/^\/#\/check\?code=[^&]+&state=[^&]+/)

    const before = browser.cookies.get('hp_session')
    const answer = await finish(browser, back)
    expect(answer.json()).toEqual({ id: expect.any(Number), linked: null, url: null })
    expect(browser.cookies.get('hp_session')).not.toBe(before)
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile).toMatchObject({ username: 'xiaoming', accepted_terms_of_service: true })
    // The address that the provider tells is nobody's proof here.
    expect(profile.email).toBe('')

    const again = await openBrowser()
    expect((await finish(again, await begin(again, 'xiaoming'))).json().id).toBe(profile.id)
    const other = await openBrowser()
    expect((await finish(other, await begin(other, 'xiaohong'))).json().id).not.toBe(profile.id)
  })

  it('is told in the settings', async () => {
    const settings = (await test.open().get('/api/site/settings/')).json()
    expect(settings.sign_in).toContain('sso')
    expect(settings.sso.providers).toContainEqual({
      name: 'oidc',
      label: 'Test',
      way: 'redirect',
    })
  })

  it('takes another username where the provider tells one that is taken', async () => {
    const browser = await openBrowser()
    await finish(browser, await begin(browser, 'admin'))
    const [profile] = (await browser.get('/api/profile/')).json()
    expect(profile.username).toMatch(/^admin-[a-z2-9]{6}$/)
    expect(profile.is_staff).toBe(false)
  })

  it('never takes an account over by its e-mail address', async () => {
    const owner = await test.signIn()
    await ownEmail(test, owner, 'li@example.com')
    const browser = await openBrowser()
    const answer = await finish(browser, await begin(browser, 'li'))
    expect(answer.json().id).not.toBe(await signedInAs(owner))
  })

  it('leaves no way in by an empty password', async () => {
    const browser = await openBrowser()
    await finish(browser, await begin(browser, 'xiaoming'))
    const stranger = await openBrowser('192.0.2.9')
    const answer = await stranger.post('/custom/login/', { account: 'xiaoming', password: ' ' })
    expect(outcome(answer)).toEqual([401, 'invalid_credentials'])
  })
})

describe('a sign-on is finished', () => {
  const refused = [409, 'sso_flow_unknown']

  it('once: a used code and state are worth nothing', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    expect(outcome(await finish(browser, back))).toBe(200)
    expect(outcome(await finish(browser, back))).toEqual(refused)
    expect(provider.trades()).toBe(1)
  })

  it('by one of many that race, and the code is traded in once', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => finish(browser, back)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    expect(provider.trades()).toBe(1)
  })

  it('by the browser that began it alone', async () => {
    const attacker = await openBrowser()
    const back = await begin(attacker, 'attacker')
    const victim = await openBrowser('192.0.2.2')
    expect(outcome(await finish(victim, back))).toEqual(refused)
    expect(await signedInAs(victim)).toBe(null)
    const noCookies = test.open()
    expect(outcome(await finish(noCookies, back))).toEqual(refused)
    // Nobody else's try used it up.
    expect(outcome(await finish(attacker, back))).toBe(200)
  })

  it('with the state of the same sign-on: another code does not fit', async () => {
    const browser = await openBrowser()
    const [first, second] = [await begin(browser, 'xiaoming'), await begin(browser, 'xiaohong')]
    const mixed = new URL(first)
    mixed.searchParams.set('code', second.searchParams.get('code') ?? '')
    expect(outcome(await finish(browser, mixed))).toEqual([422, 'sso_refused'])
    expect(await signedInAs(browser)).toBe(null)
    const unknown = new URL(first)
    unknown.searchParams.set('state', 'f'.repeat(48))
    expect(outcome(await finish(browser, unknown))).toEqual(refused)
  })

  it('with a code of the provider: a made-up one uses the sign-on up', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    const forged = new URL(back)
    forged.searchParams.set('code', 'made up')
    expect(outcome(await finish(browser, forged))).toEqual([422, 'sso_refused'])
    expect(outcome(await finish(browser, back))).toEqual(refused)
  })

  it('with the issuer that was asked: an answer of another one is refused', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    back.searchParams.set('iss', 'https://evil.example')
    expect(outcome(await finish(browser, back))).toEqual([422, 'sso_refused'])
    expect(provider.trades()).toBe(0)
  })

  it('within ten minutes', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    test.clock.advance(10 * minuteMs)
    expect(outcome(await finish(browser, back))).toEqual(refused)
  })

  it('not at all where the person said no', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, null)
    expect(back.searchParams.get('error')).toBe('access_denied')
    const callback = await browser.get(`${back.pathname}${back.search}&extra=1`)
    const { hash } = new URL(callback.headers.location ?? '', consoleUrl)
    const query = new URLSearchParams(hash.slice('#/check?'.length))
    expect([...query.keys()].sort()).toEqual(['error', 'iss', 'state'])
  })

  it('not while the provider is down, and says so', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    provider.break(true)
    expect(outcome(await finish(browser, back))).toEqual([503, 'sso_unavailable'])
    provider.break(false)
    expect(outcome(await finish(browser, await begin(browser, 'xiaoming')))).toBe(200)
  })

  it('reports bad input as such', async () => {
    const browser = await openBrowser()
    const answer = await browser.get(checkSso.path)
    expect(answer.status).toBe(422)
    expect(answer.problem().errors?.map(({ path }) => path)).toEqual(['code', 'state'])
    const unknown = await browser.post(startSso.path, { provider: 'nobody' })
    expect(outcome(unknown)).toEqual([404, 'not_found'])
  })
})

it('a provider that cannot be reached is told when it is asked for, and asked anew', async () => {
  const { issuer } = provider
  await provider.stop()
  const browser = await openBrowser()
  const answer = await browser.post(startSso.path, { provider: 'oidc' })
  expect(outcome(answer)).toEqual([503, 'sso_unavailable'])
  expect(test.log.join('')).toContain('the OpenID Connect provider failed')
  expect(test.log.join('')).toContain(issuer)
  provider = await startTestProvider(consoleUrl)
})

describe('where it leads', () => {
  const lead = async (url: string) => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming', { url, n: 'a'.repeat(43), pairing: 'p' })
    return (await finish(browser, back)).json()
  }

  it('keeps the address of a name, its nonce and a pairing', async () => {
    const url = 'http://nas.localhost:8080/a?b=c#d'
    expect(await lead(url)).toMatchObject({ url, n: 'a'.repeat(43), pairing: 'p' })
  })

  it('keeps what is to be confirmed in this browser, and takes nothing else for it', async () => {
    const kept = { request: 'r'.repeat(22), confirm_email: 'c'.repeat(32) }
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming', kept)
    expect((await finish(browser, back)).json()).toMatchObject({ ...kept, url: null })
    const hostile = { request: '../../evil#/login', confirm_email: '//evil.example/' }
    const answer = await browser.post(startSso.path, { provider: 'oidc', ...hostile })
    expect(answer.status).toBe(422)
    expect(answer.problem().errors?.map(({ path }) => path)).toEqual(['request', 'confirm_email'])
  })

  it.each([
    'http://nas.localhost:8080@evil.example/',
    '//evil.example',
    'javascript:alert(1)',
    'http://evil.example/',
    'http://nas.localhost:8080\\@evil.example',
    'https://nas.localhost:8080/',
  ])('forgets %s', async url => {
    expect((await lead(url)).url).toBe(null)
  })
})

describe('who may make an account', () => {
  it('nobody where sign-up is off; those who are linked come in', async () => {
    await test.stop()
    await start({ signup: 'off' })
    const browser = await openBrowser()
    expect(outcome(await finish(browser, await begin(browser, 'xiaoming')))).toEqual([
      403,
      'signup_closed',
    ])
    const owner = await test.signIn()
    expect((await link(owner, 'xiaoming')).json().linked).toBe('oidc')
    expect((await finish(browser, await begin(browser, 'xiaoming'))).json().id).toBe(
      await signedInAs(owner),
    )
  })

  it('whoever holds an invitation, once', async () => {
    await test.stop()
    await start({ signup: 'invite' })
    const invite = (await test.server.admin.createInvite()).split('invite=')[1]
    const tryWith = async (name: string, body: object) => {
      const browser = await openBrowser()
      return outcome(await finish(browser, await begin(browser, name, body)))
    }
    expect(await tryWith('a', {})).toEqual([403, 'signup_closed'])
    expect(await tryWith('a', { invite: 'wrong' })).toEqual([404, 'invite_invalid'])
    expect(await tryWith('a', { invite })).toBe(200)
    expect(await tryWith('b', { invite })).toEqual([404, 'invite_invalid'])
  })
})

describe('the second factor', () => {
  let secret: string
  let userId: number
  beforeEach(async () => {
    const owner = await test.signIn()
    userId = await signedInAs(owner)
    await link(owner, 'xiaoming')
    secret = (await turnOn(test, owner)).secret
    test.clock.advance(minuteMs)
  })
  const confirm = (browser: TestBrowser, back: URL, second_factor: string) => {
    const given = Object.fromEntries(back.searchParams)
    return browser.post('/custom/check/', { ...given, second_factor })
  }

  it('is asked for, and nothing has begun before it is shown', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming', { url: 'http://nas.localhost:8080/' })
    // The page may be loaded again: the code was traded in once and the answer is kept.
    for (const _ of [1, 2]) {
      expect(outcome(await finish(browser, back))).toEqual([401, 'second_factor_required'])
    }
    expect(await signedInAs(browser)).toBe(null)
    const right = codeAt(secret, test.clock.now())
    const wrong = right === '000000' ? '000001' : '000000'
    expect(outcome(await confirm(browser, back, wrong))).toEqual([422, 'second_factor_wrong'])
    const other = await openBrowser('192.0.2.2')
    expect(outcome(await confirm(other, back, right))).toEqual([409, 'sso_flow_unknown'])
    expect((await confirm(browser, back, right)).json()).toMatchObject({
      id: userId,
      url: 'http://nas.localhost:8080/',
    })
    expect(await signedInAs(browser)).toBe(userId)
    expect(outcome(await confirm(browser, back, right))).toEqual([409, 'sso_flow_unknown'])
    expect(provider.trades()).toBe(2)
  })

  it('lets in one of many that show the same code at once', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    await finish(browser, back)
    const right = codeAt(secret, test.clock.now())
    const answers = await Promise.all([1, 2, 3].map(() => confirm(browser, back, right)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('has to be shown within ten minutes', async () => {
    const browser = await openBrowser()
    const back = await begin(browser, 'xiaoming')
    await finish(browser, back)
    test.clock.advance(10 * minuteMs)
    const late = await confirm(browser, back, codeAt(secret, test.clock.now()))
    expect(outcome(late)).toEqual([409, 'sso_flow_unknown'])
  })
})

describe('a sign-in at the provider', () => {
  const refused = [403, 'recent_sign_in_required']
  const hourMs = 60 * minuteMs
  const path = '/custom/reauthenticate/identity/'

  /** Tries everything that needs to know that the owner is there. */
  async function trySensitive(browser: TestBrowser): Promise<unknown[]> {
    const tries: [string, string, object][] = [
      ['POST', '/custom/password/', { new_password: admin.password }],
      ['PATCH', '/custom/profile/', { email: 'li@example.com' }],
      ['POST', '/api/verify/sms/send/', { phone: '13800138000', scene: 'bind' }],
      ...calls
        .filter(({ access }) => access === 'recent')
        .map(call => [call.method, call.path.replace('{id}', '1'), {}] as [string, string, object]),
    ]
    const outcomes = []
    for (const one of tries) outcomes.push(outcome(await browser.send(...one)))
    return outcomes
  }

  it('of just now is a recent one', async () => {
    const browser = await openBrowser()
    await finish(browser, await begin(browser, 'xiaoming'))
    const password = { new_password: admin.password }
    expect(outcome(await browser.post('/custom/password/', password))).toBe(200)
  })

  it.each<[string, () => void]>([
    ['of an hour ago', () => provider.signInAgo(hourMs)],
    ['of an instant that it does not tell', () => provider.ignoreAge(true)],
    ['of an instant to come', () => provider.signInAgo(-hourMs)],
  ])('%s is no recent one, and opens nothing that needs one', async (_, prepare) => {
    prepare()
    const browser = await openBrowser()
    expect(outcome(await finish(browser, await begin(browser, 'xiaoming')))).toBe(200)
    const outcomes = await trySensitive(browser)
    expect(outcomes.length).toBeGreaterThan(15)
    expect(outcomes.filter(each => String(each) !== String(refused))).toEqual([])
  })

  it('that asked nobody is as old as the one that did', async () => {
    const jar = new Map<string, string>()
    const enter = async (name: string | null) => {
      const browser = await openBrowser()
      const begun = await browser.call(startSso, { body: { provider: 'oidc' } })
      expect(outcome(await finish(browser, await passProvider(begun.login_url, name, jar)))).toBe(
        200,
      )
      return browser
    }
    await enter('xiaoming')
    test.clock.advance(5 * minuteMs)
    const browser = await enter(null)
    expect(outcome(await browser.post('/api/user/token-reset/'))).toBe(200)
    // The provider's clock went on meanwhile.
    test.clock.advance(6 * minuteMs)
    expect(outcome(await browser.post('/api/user/token-reset/'))).toEqual(refused)
  })

  describe('proves anew who is there', () => {
    let owner: TestBrowser
    let jar: Map<string, string>
    beforeEach(async () => {
      owner = await openBrowser()
      await finish(owner, await begin(owner, 'xiaoming'))
      test.clock.advance(11 * minuteMs)
      jar = new Map()
      await passProvider(await ask(), 'xiaoming', jar)
    })
    const ask = async () => {
      const answer = await owner.post(path, { provider: 'oidc' })
      expect(answer.status).toBe(200)
      return answer.json().login_url as string
    }
    const isRecent = async () => outcome(await owner.post('/api/user/token-reset/'))

    it('and makes that very session a recent one', async () => {
      expect(await isRecent()).toEqual(refused)
      const session = owner.cookies.get('hp_session')
      provider.signInAgo(-11 * minuteMs)
      const id = await signedInAs(owner)
      // Whoever is signed in at the provider is asked all the same.
      const back = await passProvider(await ask(), 'xiaoming', jar)
      const answer = (await finish(owner, back)).json()
      expect(answer).toEqual({ id, linked: null, reauthenticated: true, url: null })
      expect(owner.cookies.get('hp_session')).toBe(session)
      expect(await isRecent()).toBe(200)
      expect(outcome(await finish(owner, back))).toEqual([409, 'sso_flow_unknown'])
    })

    it.each<[string, number, string, () => void]>([
      ['another identity', 422, 'sso_refused', () => {}],
      ['an old proof', 403, 'recent_sign_in_required', () => provider.signInAgo(hourMs)],
      ['an age that is not told', 403, 'recent_sign_in_required', () => provider.ignoreAge(true)],
    ])('but not with %s', async (what, status, code, prepare) => {
      provider.signInAgo(-11 * minuteMs)
      prepare()
      const isOther = what === 'another identity'
      const [name, memory] = isOther ? ['xiaohong', undefined] : ['xiaoming', jar]
      const back = await passProvider(await ask(), name, memory)
      expect(outcome(await finish(owner, back))).toEqual([status, code])
      expect(await isRecent()).toEqual(refused)
    })

    it('for the session that began alone, of an account without a password that has the identity', async () => {
      const back = await passProvider(await ask(), 'xiaoming')
      const other = await openBrowser('192.0.2.2')
      expect(outcome(await finish(other, back))).toEqual([409, 'sso_flow_unknown'])
      expect(outcome(await other.post(path, { provider: 'oidc' }))).toEqual([401, 'not_signed_in'])
      for (const name of ['homeport', 'wechat']) {
        expect(outcome(await owner.post(path, { provider: name }))).toEqual([404, 'not_found'])
      }
      const administrator = await test.signIn()
      await link(administrator, 'guanli')
      const withPassword = await administrator.post(path, { provider: 'oidc' })
      expect(outcome(withPassword)).toEqual([403, 'forbidden'])
    })
  })
})

describe('identities', () => {
  const list = async (browser: TestBrowser) => (await browser.get('/api/user/identities/')).json()
  const unlink = (browser: TestBrowser, id: number) =>
    browser.send('DELETE', `/api/user/identities/${id}/`)

  it('are linked, listed and taken away; the account stays', async () => {
    const owner = await test.signIn()
    expect(await list(owner)).toEqual([])
    await link(owner, 'xiaoming')
    await link(owner, 'xiaoming')
    const [identity, ...others] = await list(owner)
    expect(others).toEqual([])
    expect(identity).toMatchObject({
      provider: 'oidc',
      display_name: 'xiaoming',
      last_used_at: null,
    })
    expect((await unlink(owner, identity.id)).status).toBe(204)
    expect(outcome(await unlink(owner, identity.id))).toEqual([404, 'not_found'])
    const browser = await openBrowser()
    const { id } = (await finish(browser, await begin(browser, 'xiaoming'))).json()
    expect(id).not.toBe(await signedInAs(owner))
  })

  it('that come and go are told by mail', async () => {
    const owner = await test.signIn()
    await ownEmail(test, owner, 'me@example.com')
    await link(owner, 'xiaoming')
    await link(owner, 'xiaoming')
    const [identity] = await list(owner)
    await unlink(owner, identity.id)
    await unlink(owner, identity.id)
    const subjects = async () =>
      (await readLetters(test)).flatMap(each =>
        each.kind === 'mail' && each.code === null ? [each.subject] : [],
      )
    await expect.poll(subjects).toEqual(['【归港】已绑定第三方账号', '【归港】已解绑第三方账号'])
  })

  it('of another account stay there, with a clear word', async () => {
    const other = await openBrowser()
    await finish(other, await begin(other, 'xiaoming'))
    const owner = await test.signIn()
    expect(outcome(await link(owner, 'xiaoming'))).toEqual([409, 'identity_taken'])
    expect(await list(owner)).toEqual([])
    const [identity] = await list(other)
    expect(outcome(await unlink(owner, identity.id))).toEqual([404, 'not_found'])
  })

  it('are never taken away as the last way in, not even two at once', async () => {
    const browser = await openBrowser()
    await finish(browser, await begin(browser, 'xiaoming'))
    const [first] = await list(browser)
    expect(outcome(await unlink(browser, first.id))).toEqual([409, 'last_way_in'])
    await link(browser, 'xiaohong')
    const both = await list(browser)
    const answers = await Promise.all(both.map(({ id }: { id: number }) => unlink(browser, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    expect(await list(browser)).toHaveLength(1)
  })

  it('and passkeys never leave an account that nothing opens, not even two at once', async () => {
    const browser = await openBrowser()
    await finish(browser, await begin(browser, 'xiaoming'))
    const passkeys = '/api/user/passkeys/'
    const addPasskey = async () => {
      const { options } = (await browser.post(`${passkeys}options/`, {})).json()
      const response = createTestAuthenticator().create(options)
      return (await browser.post(passkeys, { name: 'key', response })).json().id as number
    }
    const removePasskey = (id: number) => browser.send('DELETE', `${passkeys}${id}/`)
    const passkey = await addPasskey()
    const [identity] = await list(browser)
    const answers = await Promise.all([unlink(browser, identity.id), removePasskey(passkey)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 409])
    // Whichever was first: with a passkey the identity may go, and then the passkey stays.
    const left = answers[0]?.status === 204 ? passkey : await addPasskey()
    for (const { id } of await list(browser)) expect((await unlink(browser, id)).status).toBe(204)
    expect(outcome(await removePasskey(left))).toEqual([409, 'last_way_in'])
    expect(outcome(await removePasskey(left + 1))).toEqual([404, 'not_found'])
    expect((await browser.get(passkeys)).json()).toMatchObject([{ id: left }])
  })

  it('are told of by mail once they are linked', async () => {
    const owner = await test.signIn()
    await ownEmail(test, owner, 'me@example.com')
    await link(owner, 'xiaoming')
    await expect
      .poll(async () => (await readLetters(test)).at(-1))
      .toMatchObject({ to: 'me@example.com', subject: '【归港】已绑定第三方账号' })
  })

  it('are linked and taken away after a recent sign-in alone', async () => {
    const owner = await test.signIn()
    await link(owner, 'xiaoming')
    const [identity] = await list(owner)
    test.clock.advance(11 * minuteMs)
    const refused = [403, 'recent_sign_in_required']
    const begun = await owner.post('/api/user/identities/', { provider: 'oidc' })
    expect(outcome(begun)).toEqual(refused)
    expect(outcome(await unlink(owner, identity.id))).toEqual(refused)
  })

  it('are linked to the session that began, not to whoever comes next', async () => {
    const owner = await test.signIn()
    const begun = await owner.post('/api/user/identities/', { provider: 'oidc' })
    const back = await passProvider(begun.json().login_url, 'xiaoming')
    await owner.post('/custom/login/', admin)
    expect(outcome(await finish(owner, back))).toEqual([409, 'sso_flow_unknown'])
  })

  it('need somebody signed in', async () => {
    const browser = await openBrowser()
    expect((await browser.get('/api/user/identities/')).status).toBe(401)
    expect((await unlink(browser, 1)).status).toBe(401)
    expect((await browser.post('/api/user/identities/', { provider: 'oidc' })).status).toBe(401)
  })
})

it('tells no log a code, a state, or a secret', async () => {
  const browser = await openBrowser()
  const back = await begin(browser, 'xiaoming')
  await browser.get(`${back.pathname}${back.search}`)
  await finish(browser, back)
  await finish(browser, back)
  const log = test.log.join('')
  expect(log).toContain('/custom/check/')
  for (const secret of [
    back.searchParams.get('code') ?? '',
    back.searchParams.get('state') ?? '',
    provider.client.clientSecret,
  ]) {
    expect(log).not.toContain(secret)
  }
})

it('slows an address down that begins one after the other', async () => {
  const browser = await openBrowser()
  const answers = []
  for (let n = 0; n < 31; n += 1)
    answers.push(await browser.post(startSso.path, { provider: 'oidc' }))
  expect(answers.map(outcome).slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 200))
  expect(outcome(answers[30] as TestAnswer)).toEqual([429, 'rate_limited'])
})
