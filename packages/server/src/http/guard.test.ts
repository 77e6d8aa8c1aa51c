import { calls } from '@homeport/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { admin, startTestServer, type TestServer } from '../testing.ts'

let test: TestServer
beforeAll(async () => {
  test = await startTestServer({ limits: { callBurst: 10_000, failedSignInBurst: 1_000 } })
})
afterAll(() => test.stop())

const examplePath = (path: string) =>
  path.replace('{pairing}', 'A'.repeat(22)).replace(/\{\w+\}/g, '999999')

describe('who may make a call', () => {
  const needsSession = calls.filter(call => !['anyone', 'agent'].includes(call.access))

  it.each(needsSession.map(call => [`${call.method} ${call.path}`, call] as const))(
    '%s answers 401 to nobody',
    async (_, call) => {
      const browser = test.open()
      await browser.get('/api/login_status/')
      const answer = await browser.send(call.method, examplePath(call.path))
      expect(answer.status).toBe(401)
      expect(answer.problem().code).toBe('not_signed_in')
    },
  )

  it.each(
    calls
      .filter(call => call.access === 'staff')
      .map(call => [`${call.method} ${call.path}`, call] as const),
  )('%s answers 403 to a user who is no staff', async (_, call) => {
    const user = await test.signUp(`plain-${crypto.randomUUID().slice(0, 8)}`)
    const answer = await user.send(call.method, examplePath(call.path), {})
    expect(answer.status).toBe(403)
    expect(answer.problem().code).toBe('forbidden')
  })

  it('lets a recent sign-in alone make a sensitive call', async () => {
    const own = await startTestServer()
    const browser = await own.signIn()
    own.clock.advance(10 * 60 * 1000)
    const late = await browser.post('/api/user/token-reset/')
    expect([late.status, late.problem().code]).toEqual([403, 'recent_sign_in_required'])
    expect(
      (await browser.post('/custom/reauthenticate/', { password: admin.password })).status,
    ).toBe(200)
    expect((await browser.post('/api/user/token-reset/')).status).toBe(200)
    await own.stop()
  })
})

describe('CSRF', () => {
  const login = '/custom/login/'
  const refuse = async (headers: Record<string, string | undefined>) => {
    const browser = test.open()
    await browser.get('/api/login_status/')
    const answer = await browser.post(login, admin, { headers })
    expect(answer.status).toBe(403)
    expect(answer.problem().code).toBe('csrf_failed')
    expect(browser.cookies.has('hp_session')).toBe(false)
  }

  it('refuses an unsafe call without the header', () => refuse({ 'X-CSRFToken': undefined }))
  it('refuses a GET that leaves something behind without the header', async () => {
    const owner = await test.signIn()
    const path = '/api/user/token-sign/'
    const answer = await owner.get(path, { headers: { 'X-CSRFToken': undefined } })
    expect([answer.status, answer.problem().code]).toEqual([403, 'csrf_failed'])
    expect((await owner.get(path)).status).toBe(200)
  })
  it('refuses a wrong value', () => refuse({ 'X-CSRFToken': 'A'.repeat(43) }))
  it('refuses a value of another length', () => refuse({ 'X-CSRFToken': 'x' }))
  it('refuses an unsafe call without an origin', () => refuse({ Origin: undefined }))
  it.each([
    'http://evil.localhost:8080',
    'http://localhost:8081',
    'https://localhost:8080',
    'http://localhost:8080.evil.example',
    'null',
  ])('refuses the origin %s', origin => refuse({ Origin: origin }))

  it('refuses a value that belongs to another browser, though the cookie says the same', async () => {
    const attacker = test.open()
    await attacker.get('/api/login_status/')
    const victim = await test.signIn()
    victim.cookies.set('csrftoken', attacker.cookies.get('csrftoken') ?? '')
    const answer = await victim.post('/api/user/token-reset/')
    expect(answer.status).toBe(403)
    // The refusal puts the right value back, so the page's next try works.
    expect((await victim.post('/api/user/token-reset/')).status).toBe(200)
  })

  it('gives a new value with the sign-in, and the old one is void', async () => {
    const browser = test.open()
    await browser.get('/api/login_status/')
    const before = browser.cookies.get('csrftoken')
    expect((await browser.post(login, admin)).status).toBe(200)
    expect(browser.cookies.get('csrftoken')).not.toBe(before)
    const old = await browser.post('/api/user/token-reset/', undefined, {
      headers: { 'X-CSRFToken': before },
    })
    expect(old.status).toBe(403)
    expect((await browser.post('/api/user/token-reset/')).status).toBe(200)
  })

  it('sets both cookies once and leaves them alone while they fit', async () => {
    const browser = test.open()
    const first = await browser.get('/api/announcement/announcements/')
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^hp_pre=[\w-]{22}; Path=\/; SameSite=Lax; HttpOnly$/),
      expect.stringMatching(/^csrftoken=[\w-]{43}; Path=\/; SameSite=Lax$/),
    ])
    expect((await browser.get('/api/profile/')).headers['set-cookie']).toBeUndefined()
  })

  it('takes a call of an agent without cookies, and sets none', async () => {
    const answer = await test
      .open()
      .post(
        '/api/agent/pair/',
        { token: 'nobody', public_key: 'A'.repeat(43), name: 'nas' },
        { headers: { Origin: undefined, 'X-CSRFToken': undefined } },
      )
    expect([answer.status, answer.problem().code]).toEqual([401, 'pairing_token_invalid'])
    expect(answer.headers['set-cookie']).toBeUndefined()
  })

  it('lends an agent call no account, whatever cookie comes along', async () => {
    const browser = await test.signIn()
    const answer = await browser.post('/api/agent/pairings/', {
      public_key: 'A'.repeat(43),
      name: 'nas',
    })
    expect(answer.status).toBe(201)
    expect(answer.headers['set-cookie']).toBeUndefined()
  })
})

describe('a page elsewhere', () => {
  const from = (site: string, mode: string, dest: string) => ({
    headers: { 'Sec-Fetch-Site': site, 'Sec-Fetch-Mode': mode, 'Sec-Fetch-Dest': dest },
  })

  it.each([
    ['an image', 'no-cors', 'image'],
    ['a script', 'no-cors', 'script'],
    ['a frame', 'navigate', 'iframe'],
    ['an object', 'navigate', 'object'],
    ['a prefetch', 'no-cors', 'empty'],
    ['a call', 'cors', 'empty'],
    ['an upgrade', 'websocket', 'websocket'],
  ])('loads nothing of ours as %s, and uses up nothing of the address', async (_, mode, dest) => {
    const own = await startTestServer({ limits: { callBurst: 3, callsPerSecond: 1e-9 } })
    const owner = own.open()
    for (const site of ['cross-site', 'same-site']) {
      for (const path of ['/sso/logout?callback=a', '/captcha/?scene=login', '/', '/nowhere']) {
        const answer = await owner.get(path, from(site, mode, dest))
        expect([answer.status, answer.problem().code]).toEqual([403, 'forbidden'])
        expect(answer.headers['set-cookie']).toBeUndefined()
      }
    }
    expect((await owner.get('/api/login_status/')).status).toBe(200)
    await own.stop()
  })

  it.each([
    ['a link elsewhere', '/sso/login', 'cross-site', 'navigate', 'document', 404],
    ['an address that was typed', '/api/login_status/', 'none', 'navigate', 'document', 200],
    ['our own page', '/api/login_status/', 'same-origin', 'cors', 'empty', 200],
    ['the console of another relay', '/healthz', 'cross-site', 'no-cors', 'empty', 200],
  ])('%s is answered', async (_, path, site, mode, dest, status) => {
    expect((await test.open().get(path, from(site, mode, dest))).status).toBe(status)
  })
})

describe('cookies', () => {
  it('are host-only, Secure and prefixed on https', async () => {
    const own = await startTestServer({ consoleUrl: 'https://console.example' })
    const browser = own.open()
    await browser.get('/api/login_status/')
    const answer = await browser.post('/custom/login/', admin)
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-hp_session=[\w-]{43}; Path=\/; SameSite=Lax; Max-Age=7776000; HttpOnly; Secure$/,
      ),
      expect.stringMatching(/^csrftoken=[\w-]{43}; Path=\/; SameSite=Lax; Secure$/),
    ])
    expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d+/)
    await own.stop()
  })

  it('beside a live session mean nothing where they are none', async () => {
    const own = await test.signIn()
    const junk = ['A'.repeat(43), 'B'.repeat(43), 'x', ''].map(value => `hp_session=${value}`)
    const pairs = [...junk, `hp_session=${own.cookies.get('hp_session')}`].join('; ')
    const answer = await test.open().get('/api/login_status/', { headers: { Cookie: pairs } })
    expect(answer.json()).toMatchObject({ logged_in: true })
  })

  it('of two sessions that live count as absent', async () => {
    const [own, tossed] = [await test.signIn(), await test.signIn()]
    const pair = [own, tossed]
      .map(each => `hp_session=${each.cookies.get('hp_session')}`)
      .join('; ')
    const answer = await test.open().get('/api/login_status/', { headers: { Cookie: pair } })
    expect(answer.json()).toEqual({ logged_in: false, id: null })
  })

  it('of a session that is unknown are taken away', async () => {
    const browser = test.open()
    browser.cookies.set('hp_session', 'A'.repeat(43))
    await browser.get('/api/login_status/')
    expect(browser.cookies.has('hp_session')).toBe(false)
  })
})

describe('the console under an IP literal', () => {
  it('takes that origin where no public URL was configured, and no other host', async () => {
    const own = await startTestServer({ extraConsoleHosts: 'ip-literals' })
    const byAddress = await own.signIn(admin, { origin: 'http://192.0.2.7:8080' })
    expect((await byAddress.get('/api/site/settings/')).json().console_url).toBe(
      'http://192.0.2.7:8080',
    )
    await expect(own.signIn(admin, { origin: 'http://evil.example:8080' })).rejects.toThrow(
      'csrf_failed',
    )
    await own.stop()
  })

  it('is refused where one was', async () => {
    await expect(test.signIn(admin, { origin: 'http://192.0.2.7:8080' })).rejects.toThrow(
      'csrf_failed',
    )
  })
})

describe('limits', () => {
  it('slow an address down and leave others alone; IPv6 counts by /64', async () => {
    const own = await startTestServer({ limits: { callBurst: 3, callsPerSecond: 1 } })
    const from = (address: string) => own.open({ address }).get('/api/site/settings/')
    for (const last of ['1', '2', '3']) expect((await from(`2001:db8::${last}`)).status).toBe(200)
    const refused = await from('2001:db8::ffff:4')
    expect([refused.status, refused.problem().code]).toEqual([429, 'rate_limited'])
    expect(refused.headers['retry-after']).toBe('1')
    expect((await from('2001:db8:0:1::1')).status).toBe(200)
    own.clock.advance(1000)
    expect((await from('2001:db8::5')).status).toBe(200)
    await own.stop()
  })

  it('let a first visit fetch its files, whatever was called before', async () => {
    const own = await startTestServer({ limits: { callBurst: 1 } })
    const { get } = own.open({ address: '192.0.2.1' })
    expect((await get('/healthz')).status).toBe(200)
    expect((await get('/healthz')).status).toBe(429)
    for (let file = 0; file < 100; file += 1) {
      expect((await get(`/assets/page-${file}.js`)).status).toBe(404)
    }
    expect((await get('/healthz')).status).toBe(429)
    await own.stop()
  })

  it('counts visitors apart who come through one proxy', async () => {
    const own = await startTestServer({ limits: { callBurst: 1 } })
    // What the relay writes of them: the chain ends with the proxy, which is the same for everybody.
    const from = (address: string) =>
      own.open({ address, forwardedFor: `${address}, 198.51.100.1` }).get('/api/site/settings/')
    expect((await from('192.0.2.1')).status).toBe(200)
    expect((await from('192.0.2.2')).status).toBe(200)
    expect((await from('192.0.2.2')).status).toBe(429)
    await own.stop()
  })

  it('does not believe addresses that are told on a TCP listener', async () => {
    const own = await startTestServer({
      listen: { host: '127.0.0.1', port: 0 },
      limits: { callBurst: 1 },
    })
    const port = own.server.port() ?? 0
    const names = ['X-Real-IP', 'X-Forwarded-For', 'True-Client-IP', 'X-Client-IP']
    const ask = (address: string) => {
      const headers = Object.fromEntries(names.map(name => [name, address]))
      return fetch(`http://127.0.0.1:${port}/healthz`, { headers })
    }
    expect((await ask('192.0.2.1')).status).toBe(200)
    expect((await ask('192.0.2.2')).status).toBe(429)
    await own.stop()
  })
})
