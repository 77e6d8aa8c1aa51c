import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { errorKinds } from '@homeport/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestBrowser, type TestServer } from '../testing.ts'

let test: TestServer
let browser: TestBrowser
beforeAll(async () => {
  test = await startTestServer()
  browser = await test.signIn()
})
afterAll(() => test.stop())

describe('a problem document', () => {
  it('has the members of RFC 9457 and ours, in the language of the caller', async () => {
    const zh = await test.open().get('/api/user/sessions/')
    expect(zh.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(zh.json()).toEqual({
      type: '/api/docs#error-not_signed_in',
      title: errorKinds.not_signed_in.zh,
      status: 401,
      code: 'not_signed_in',
      detail: errorKinds.not_signed_in.zh,
      request_id: zh.headers['x-request-id'],
    })
    const en = await test.open({ language: 'en-GB,en;q=0.9,zh;q=0.5' }).get('/api/user/sessions/')
    expect(en.problem().detail).toBe(errorKinds.not_signed_in.en)
  })

  it('repeats the request id that the relay gave, and no other text', async () => {
    const given = await browser.get('/api/nope', { headers: { 'X-Request-Id': 'abcdef-123456' } })
    expect(given.problem().request_id).toBe('abcdef-123456')
    const odd = await browser.get('/api/nope', { headers: { 'X-Request-Id': '<script>alert(1)' } })
    expect(odd.text).not.toContain('script')
  })

  it.each([
    ['an unknown address', 'GET', '/api/nope/', 404, 'not_found'],
    ['an address without its slash', 'GET', '/api/profile', 404, 'not_found'],
    ['a method the address does not take', 'DELETE', '/api/profile/', 405, 'method_not_allowed'],
    ['OPTIONS', 'OPTIONS', '/api/profile/', 405, 'method_not_allowed'],
    [
      'a parameter that is too long',
      'DELETE',
      `/api/user/sessions/${'1'.repeat(300)}/`,
      404,
      'not_found',
    ],
    ['a path that cannot be decoded', 'GET', '/api/%E0%A4%A/', 400, 'bad_request'],
  ])('answers %s', async (_, method, path, status, code) => {
    const answer = await browser.send(method, path)
    expect([answer.status, answer.problem().code]).toEqual([status, code])
    expect(answer.headers['content-type']).toContain('application/problem+json')
  })

  it('names the methods an address takes', async () => {
    const answer = await browser.send('PUT', '/custom/password/')
    expect(answer.headers.allow).toBe('POST')
  })

  it.each([
    ['not JSON', '{', {}, 400, 'malformed_json'],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), {}, 400, 'malformed_json'],
    ['not an object', '[]', {}, 422, 'invalid_input'],
    ['null', 'null', {}, 422, 'invalid_input'],
    [
      'a form',
      'a=1',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      415,
      'unsupported_media_type',
    ],
    ['without a type', '{}', { 'Content-Type': undefined }, 415, 'unsupported_media_type'],
    ['too large', JSON.stringify('x'.repeat(256 * 1024)), {}, 413, 'payload_too_large'],
  ])('answers a body that is %s', async (_, raw, headers, status, code) => {
    const answer = await browser.post('/custom/password/', undefined, { raw, headers })
    expect([answer.status, answer.problem().code]).toEqual([status, code])
  })

  it('tells nothing of an unknown fault but the request id, and logs it', async () => {
    const file = new DatabaseSync(`${test.settings.dataFolder}/homeport.sqlite`)
    file.exec('alter table announcements rename to hidden')
    const answer = await browser.get('/api/announcement/announcements/')
    file.exec('alter table hidden rename to announcements')
    file.close()
    expect(answer.status).toBe(500)
    expect(answer.json()).toEqual({
      type: '/api/docs#error-internal',
      title: errorKinds.internal.zh,
      status: 500,
      code: 'internal',
      detail: errorKinds.internal.zh,
      request_id: answer.headers['x-request-id'],
    })
    const line = test.log.find(
      each => each.includes(answer.problem().request_id) && each.includes('"err"'),
    )
    expect(line).toContain('announcements')
  })

  // PostgreSQL has no text that holds one: what got there would be a fault of ours.
  it.each([
    ['POST', '/custom/login/', { account: 'a\0', password: 'b\0c' }, ['account', 'password']],
    ['GET', '/api/user/routers/?search=a%00', undefined, ['search']],
    ['POST', '/api/admin/invites/', { remark: '\0' }, ['remark']],
    ['POST', '/api/admin/announcements/', { title: 'a\0', detail: 'b', url: '' }, ['title']],
  ])('%s %s finds U+0000 in every field', async (method, path, body, fields) => {
    const answer = await browser.send(method, path, body)
    expect([answer.status, answer.problem().code]).toEqual([422, 'invalid_input'])
    expect(answer.problem().errors?.map(error => [error.path, error.code])).toEqual(
      fields.map(field => [field, 'invalid_format']),
    )
  })

  it('goes no deeper into a body than any call needs', async () => {
    const asked = await browser.post('/custom/passkey/options/')
    expect(asked.status).toBe(200)
    const text = 'A'.repeat(22)
    const parts = { clientDataJSON: text, authenticatorData: text, signature: text }
    const response = { id: text, rawId: text, type: 'public-key', response: parts }
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const send = (levels: number) => {
      const plain = JSON.stringify({ response: { ...response, clientExtensionResults: 0 } })
      const raw = plain.replace(
        '"clientExtensionResults":0',
        `"clientExtensionResults":${deep(levels)}`,
      )
      return browser.post('/custom/passkey/login/', undefined, { raw })
    }
    expect((await send(1)).problem().code).toBe('passkey_refused')
    for (const levels of [30, 40_000]) {
      const answer = await send(levels)
      expect([answer.status, answer.problem().code]).toEqual([422, 'invalid_input'])
      expect(answer.problem().errors).toHaveLength(1)
    }
  })

  it('does not fall for a body that reaches for prototypes', async () => {
    const raw = '{"__proto__": {"isStaff": true}, "constructor": {"prototype": {"x": 1}}}'
    const answer = await browser.send('PATCH', '/custom/profile/', undefined, { raw })
    expect(answer.status).toBe(200)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

it('answers 400 and closes a connection that does not speak HTTP', async () => {
  const { listen } = test.settings
  const socket = connect('path' in listen ? listen.path : '')
  socket.write('GET / HTTP/1.1\r\nHost: a\r\nHost : b\r\n\r\n')
  expect(await text(socket)).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
})

describe('headers', () => {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': expect.stringContaining('camera=()'),
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
  }

  it.each([
    '/',
    '/healthz',
    '/api/profile/',
    '/api/nope',
    '/api/docs',
    '/api/openapi.json',
    '/custom/logout',
  ])('%s carries all of them', async path => {
    const answer = await test.open().get(path)
    expect(answer.headers).toMatchObject(always)
    expect(answer.headers['strict-transport-security']).toBeUndefined()
    expect(answer.headers['cache-control']).toMatch(/^no-store$|^no-cache, private$/)
    expect(answer.headers.server).toBeUndefined()
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('let no script in that is not a file of ours', async () => {
    const policy = (await browser.get('/api/profile/')).headers['content-security-policy']
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/)
  })
})

it('logs no address with its parameters', async () => {
  const secret = 'S'.repeat(22)
  await browser.get(`/api/agent/pairings/${secret}/`)
  await browser.get(`/custom/router_info/?pairing=${secret}`)
  expect(test.log.join('')).toContain('/api/agent/pairings/:pairing/')
  expect(test.log.join('')).not.toContain(secret)
})
