import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { calls } from '@homeport/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../testing.ts'

describe('without a built console', () => {
  let test: TestServer
  beforeAll(async () => {
    test = await startTestServer()
  })
  afterAll(() => test.stop())

  it('says at / what to do', async () => {
    const answer = await test.open().get('/')
    expect(answer.status).toBe(503)
    expect(answer.text).toContain('控制台尚未构建')
    expect(answer.text).toContain('npm run build')
  })

  it('tells its settings to everybody', async () => {
    expect((await test.open().get('/api/site/settings/')).json()).toEqual({
      brand: '归港',
      version: '0.1.0',
      mode: 'development',
      billing: true,
      signup: 'invite',
      sign_in: ['password', 'phone', 'sso'],
      password_reset: ['phone', 'mail'],
      sso: {
        providers: [{ name: 'homeport', label: '手机扫码', way: 'scan' }],
        logout_url: '/sso/logout',
      },
      console_url: 'http://localhost:8080',
      tunnel_domain: 'localhost',
      record_url_pattern: 'http://*.localhost:8080',
      languages: ['zh-CN', 'en'],
      needs_setup: false,
    })
  })

  it('answers health as long as it runs, and readiness while the database answers', async () => {
    expect((await test.open().get('/healthz')).json()).toEqual({ status: 'ok' })
    expect((await test.open().get('/readyz')).json()).toEqual({ status: 'ready' })
  })

  it('shows every call of the contract on the API page, in both languages, without a script', async () => {
    for (const [language, word] of [
      ['zh', '错误代码'],
      ['en', 'Error codes'],
    ] as const) {
      const { text, status } = await test.open({ language }).get('/api/docs')
      expect(status).toBe(200)
      for (const call of calls) expect(text).toContain(`<article id="${call.name}">`)
      expect(text).toContain(word)
      expect(text).not.toMatch(/<script|<link| style=| on\w+=/)
    }
  })

  it('serves the document the page is made from', async () => {
    const answer = await test.open().get('/api/openapi.json')
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toMatchObject({ openapi: '3.1.0', info: { version: '0.1.0' } })
    for (const call of calls) {
      expect(answer.json().paths[call.path][call.method.toLowerCase()].operationId).toBe(call.name)
    }
  })
})

describe('the built console', () => {
  let test: TestServer
  let folder: string
  const script = 'console.log("a long enough script to be worth it")'.repeat(20)
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'homeport-console-'))
    const files = path.join(folder, 'dist')
    await mkdir(path.join(files, 'assets'), { recursive: true })
    await writeFile(path.join(files, 'index.html'), '<!doctype html><title>console</title>')
    await writeFile(path.join(files, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    await writeFile(path.join(files, 'assets/app-1a2b3c.js'), script)
    await writeFile(path.join(files, 'assets/app-1a2b3c.js.br'), brotliCompressSync(script))
    await writeFile(path.join(folder, 'secret.txt'), 'outside')
    test = await startTestServer({ consoleFiles: files })
  })
  afterAll(async () => {
    await test.stop()
    await rm(folder, { recursive: true })
  })

  it('is asked for anew each time, and says so', async () => {
    const answer = await test.open().get('/')
    expect([answer.status, answer.headers['cache-control']]).toEqual([200, 'no-cache, private'])
    expect(answer.text).toContain('<title>console</title>')
    expect(answer.headers['content-security-policy']).toContain("script-src 'self'")
    expect(answer.headers['set-cookie']).toHaveLength(2)
    const again = await test.open().get('/', {
      headers: { 'If-None-Match': String(answer.headers.etag) },
    })
    expect(again.status).toBe(304)
  })

  it('has hashed files that are kept for ever, by shared caches only where no cookie is set', async () => {
    const browser = test.open()
    const first = await browser.get('/assets/app-1a2b3c.js')
    expect(first.headers['cache-control']).toBe('private, max-age=31536000, immutable')
    const second = await browser.get('/assets/app-1a2b3c.js')
    expect(second.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(second.headers['set-cookie']).toBeUndefined()
    expect(second.headers['content-type']).toMatch(/^(text|application)\/javascript/)
    expect(second.text).toBe(script)
  })

  it('comes compressed where the build did that', async () => {
    const answer = await test
      .open()
      .get('/assets/app-1a2b3c.js', { headers: { 'Accept-Encoding': 'br, gzip' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript/)
    expect(answer.headers['cache-control']).toContain('immutable')
    expect(answer.headers.vary).toMatch(/accept-encoding/i)
  })

  it.each([
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/assets/..%5c..%5csecret.txt',
    '/assets/%2e%2e/%2e%2e/secret.txt',
    '/.git/config',
    '/assets/',
    '/devices',
  ])('has nothing at %s', async target => {
    const answer = await test.open().get(target)
    expect(answer.status).toBe(404)
    expect(answer.text).not.toContain('outside')
  })
})
