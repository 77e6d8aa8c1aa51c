import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

let test: TestServer
let staff: TestBrowser
beforeAll(async () => {
  test = await startTestServer()
  staff = await test.signIn()
})
afterAll(() => test.stop())

describe('invitations', () => {
  const invites = '/api/admin/invites/'

  it('show their link once, then who used them', async () => {
    const made = await staff.post(invites, { remark: ' for Li ', days: 3 })
    expect(made.status).toBe(201)
    expect(made.json()).toMatchObject({ remark: 'for Li', used_at: null, used_by: null })
    expect(made.json().url).toMatch(/^http:\/\/localhost:8080\/#\/login\?invite=[\w-]{32}$/)
    const code = made.json().url.split('=')[1]
    const guest = test.open()
    await guest.get('/api/login_status/')
    await guest.post('/custom/signup/', {
      username: 'li-from-next-door',
      password: 'long enough pass',
      invite: code,
      accepted_terms_of_service: true,
    })
    const list = await staff.get(invites)
    expect(list.json()[0]).toMatchObject({ remark: 'for Li', used_by: 'li-from-next-door' })
    expect(list.text).not.toContain(code)
  })

  it('last 7 days unless told', async () => {
    const { created_at, expires_at } = (await staff.post(invites)).json()
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(7 * 24 * 60 * 60 * 1000)
  })

  it('can be taken back until they are used', async () => {
    const { id, url } = (await staff.post(invites, {})).json()
    expect((await staff.send('DELETE', `${invites}${id}/`)).status).toBe(204)
    const guest = test.open()
    await guest.get('/api/login_status/')
    const answer = await guest.post('/custom/signup/', {
      username: 'too-late',
      password: 'long enough pass',
      invite: url.split('=')[1],
      accepted_terms_of_service: true,
    })
    expect(answer.problem().code).toBe('invite_invalid')
    for (const gone of [id, 999_999]) {
      expect((await staff.send('DELETE', `${invites}${gone}/`)).status).toBe(404)
    }
  })

  it('report every problem at once', async () => {
    const answer = await staff.post(invites, { remark: 'x'.repeat(101), days: 31 })
    expect(answer.problem().errors).toMatchObject([
      { path: 'remark', code: 'too_big' },
      { path: 'days', code: 'too_big' },
    ])
  })
})

describe('announcements', () => {
  const admin = '/api/admin/announcements/'
  const open = '/api/announcement/announcements/'

  it('are read by everybody, oldest first, hidden ones too', async () => {
    const first = await staff.post(admin, {
      title: ' one ',
      detail: 'd',
      url: 'https://example.com/a',
    })
    expect(first.status).toBe(201)
    const second = await staff.post(admin, { title: 'two', detail: 'd', display: false })
    const list = (await test.open().get(open)).json()
    expect(list).toEqual([first.json(), second.json()])
    expect(list).toMatchObject([
      { title: 'one', url: 'https://example.com/a', display: true },
      { title: 'two', url: '', display: false },
    ])
  })

  it('are taken back once', async () => {
    const { id } = (await staff.post(admin, { title: 't', detail: 'd' })).json()
    expect((await staff.send('DELETE', `${admin}${id}/`)).status).toBe(204)
    expect((await staff.send('DELETE', `${admin}${id}/`)).problem().code).toBe('not_found')
  })

  it.each(['javascript:alert(1)', 'data:text/html,x', '//example.com', 'ftp://example.com/'])(
    'do not lead to %s',
    async url => {
      const answer = await staff.post(admin, { title: 't', detail: 'd', url })
      expect(answer.problem().errors).toMatchObject([{ path: 'url', code: 'invalid_format' }])
    },
  )
})
