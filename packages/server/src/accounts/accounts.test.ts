import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admin, startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

let test: TestServer
let browser: TestBrowser
beforeEach(async () => {
  test = await startTestServer()
  browser = await test.signIn()
})
afterEach(() => test.stop())

const profileOf = async (who: TestBrowser) => (await who.get('/api/profile/')).json()[0]
const patch = (body: unknown, who = browser) => who.send('PATCH', '/custom/profile/', body)

describe('the profile', () => {
  it('is a list of one, and an empty list for nobody', async () => {
    expect(await profileOf(browser)).toEqual({
      id: 1,
      username: 'admin',
      email: '',
      token: expect.stringMatching(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
      url: '/api/profile/1/',
      is_payed: false,
      is_promoter: false,
      is_staff: true,
      is_superuser: true,
      readed_announcement_id: 0,
      accepted_terms_of_service: true,
      accepted_terms_of_payment: false,
      phone_bound_at: null,
      phone_number: '',
      phone_verified: false,
      has_password: true,
    })
    const nobody = await test.open().get('/api/profile/')
    expect([nobody.status, nobody.json()]).toEqual([200, []])
  })

  it('never lowers the read announcement, also when two pages write at once', async () => {
    const write = (readed_announcement_id: number) =>
      browser.send('PATCH', '/api/profile/1/', { readed_announcement_id })
    await Promise.all([3, 9, 5, 1, 7].map(write))
    expect((await write(4)).json().readed_announcement_id).toBe(9)
  })

  it('of another user answers like one that does not exist', async () => {
    const stranger = await test.signUp('stranger')
    for (const id of [1, 999]) {
      const answer = await stranger.send('PATCH', `/api/profile/${id}/`, { username: 'taken-over' })
      expect([answer.status, answer.problem().code]).toEqual([404, 'not_found'])
    }
    expect((await profileOf(browser)).username).toBe('admin')
  })

  it('reports every problem of parameters and body at once', async () => {
    const answer = await browser.send('PATCH', '/api/profile/zero/', {
      readed_announcement_id: -1,
      accepted_terms_of_service: false,
      username: '12345',
      email: 'nowhere',
    })
    expect(answer.status).toBe(422)
    expect(answer.problem().errors?.map(({ path, code }) => [path, code])).toEqual([
      ['id', 'invalid_type'],
      ['readed_announcement_id', 'too_small'],
      ['accepted_terms_of_service', 'invalid_value'],
      ['username', 'invalid_value'],
      ['email', 'invalid_format'],
    ])
    for (const problem of answer.problem().errors ?? []) expect(problem.message).toMatch(/。$/)
  })

  it('cannot be given rights by its owner', async () => {
    const user = await test.signUp('plain-user')
    await patch({ is_staff: true, is_superuser: true, is_payed: true, token: 'x' }, user)
    expect(await profileOf(user)).toMatchObject({ is_staff: false, is_superuser: false })
  })

  it('keeps usernames unique in any case', async () => {
    const user = await test.signUp('plain-user')
    const name = await patch({ username: 'Admin' }, user)
    expect([name.status, name.problem().code]).toEqual([409, 'username_taken'])
    expect((await patch({ username: 'ADMIN' })).json().username).toBe('ADMIN')
  })

  it('may be without an e-mail address for any number of users', async () => {
    const user = await test.signUp('plain-user')
    expect((await patch({ email: '' }, user)).status).toBe(200)
    expect((await patch({ email: '' })).status).toBe(200)
  })
})

describe('the password', () => {
  const change = (body: unknown) => browser.post('/custom/password/', body)
  const next = 'another long password'

  it('changes with the old one, ends every other session and keeps this one', async () => {
    const other = await test.signIn()
    expect((await change({ old_password: admin.password, new_password: next })).json()).toEqual({
      id: 1,
    })
    expect((await other.get('/api/login_status/')).json().logged_in).toBe(false)
    expect((await browser.get('/api/login_status/')).json().logged_in).toBe(true)
    await expect(test.signIn()).rejects.toThrow('invalid_credentials')
    await test.signIn({ ...admin, password: next })
  })

  it('stays with a wrong old one, and guessing is slowed down', async () => {
    const wrong = await change({ old_password: 'wrong password', new_password: next })
    expect([wrong.status, wrong.problem().code]).toEqual([422, 'wrong_password'])
    await change({ old_password: 'wrong password', new_password: next })
    await change({ old_password: 'wrong password', new_password: next })
    const slow = await change({ old_password: admin.password, new_password: next })
    expect([slow.status, slow.problem().code]).toEqual([429, 'rate_limited'])
  })

  it.each([
    ['without the old one', { new_password: next }, 'old_password', 'required'],
    [
      'too short',
      { old_password: admin.password, new_password: 'short' },
      'new_password',
      'too_small',
    ],
    [
      'too long',
      { old_password: admin.password, new_password: 'x'.repeat(129) },
      'new_password',
      'too_big',
    ],
    [
      'common',
      { old_password: admin.password, new_password: 'Qwerty123' },
      'new_password',
      'too_weak',
    ],
    [
      'common with signs at its end',
      { old_password: admin.password, new_password: 'Iloveyou!!2' },
      'new_password',
      'too_weak',
    ],
    [
      'of one character',
      { old_password: admin.password, new_password: 'xxxxxxxxxx' },
      'new_password',
      'too_weak',
    ],
  ])('is refused %s', async (_, body, path, code) => {
    const answer = await change(body)
    expect([answer.status, answer.problem().errors]).toMatchObject([422, [{ path, code }]])
  })
})

describe('the enrolment token', () => {
  it('is replaced by a reset and shown again as it is', async () => {
    const before = (await profileOf(browser)).token
    const after = (await browser.post('/api/user/token-reset/')).json().token
    expect(after).not.toBe(before)
    expect((await profileOf(browser)).token).toBe(after)
  })

  it('stands in no log and not readable in the database', async () => {
    const { token } = await profileOf(browser)
    await browser.post('/api/agent/pair/', { token, public_key: 'A'.repeat(43), name: 'nas' })
    const { readFile, readdir } = await import('node:fs/promises')
    const folder = test.settings.dataFolder
    for (const file of (await readdir(folder)).filter(name => name.startsWith('homeport.sqlite'))) {
      const bytes = await readFile(`${folder}/${file}`)
      expect(bytes.includes(token)).toBe(false)
      expect(bytes.includes(browser.cookies.get('hp_session') ?? '')).toBe(false)
      expect(bytes.includes(admin.password)).toBe(false)
    }
    expect(test.log.join('')).not.toContain(token)
  })
})

describe('an operator', () => {
  it('gives a forgotten account a new password, which ends its sessions', async () => {
    const password = await test.server.admin.resetPassword('ADMIN')
    expect(password).toMatch(/^[\w-]{16}$/)
    expect((await browser.get('/api/login_status/')).json().logged_in).toBe(false)
    await test.signIn({ account: 'admin', password: password ?? '' })
    expect(await test.server.admin.resetPassword('nobody')).toBeNull()
  })

  it('makes another administrator by a set-up link', async () => {
    const code = (await test.server.admin.createSetupLink()).split('code=')[1]
    const second = test.open()
    await second.get('/api/login_status/')
    const taken = await second.post('/custom/setup/', {
      code,
      username: 'admin',
      password: 'long enough pass',
    })
    expect([taken.status, taken.problem().code]).toEqual([409, 'username_taken'])
    // The code was not used up by the refusal.
    const answer = await second.post('/custom/setup/', {
      code,
      username: 'second',
      password: 'long enough pass',
    })
    expect(answer.status).toBe(201)
    expect(await profileOf(second)).toMatchObject({ is_superuser: true })
  })
})
