import { createHash } from 'node:crypto'
import { TUNNEL_ERRORS, TunnelError } from '@homeport/tunnel'
import { expect, test } from 'vitest'
import { acceptsHtml, chooseLanguage } from './accept.ts'
import { type PageCode, type PageKind, pageKinds } from './kinds.ts'
import { renderPage } from './render.ts'
import { pageOfOpenFailure } from './tunnel-errors.ts'

const browser = {
  accept: 'text/html,*/*;q=0.8',
  acceptLanguage: 'zh-CN',
  host: 'nas.localhost',
  requestId: 'r-1',
}
const kinds = Object.entries(pageKinds) as [PageCode, PageKind][]
const headerOf = (response: ReturnType<typeof renderPage>, name: string) =>
  response.headers.find(header => header[0] === name)?.[1]

test.each(kinds)('%s says what, why and what next in both languages', (code, kind) => {
  for (const language of ['zh', 'en'] as const) {
    const page = renderPage(code, { ...browser, acceptLanguage: language })
    const { title, reason, next } = kind[language]
    for (const text of [title, reason, next]) {
      expect(text).not.toBe('')
      expect(page.body).toContain(`>${text}<`)
    }
    expect(page.body).toContain(`<dd>${code}</dd>`)
    expect(page.body).toContain('<dd>r-1</dd>')
    expect(page.body.includes('class="retry"')).toBe(kind.retry !== 'never')
  }
  expect(kind.status).toBeGreaterThanOrEqual(400)
})

test.each(TUNNEL_ERRORS)('tunnel error $number ($code) has a page', ({ code }) => {
  const page = pageOfOpenFailure(new TunnelError(code))
  expect(pageKinds[page].status).toBeGreaterThanOrEqual(400)
})

test.each([
  ['device_offline', 'device_offline', 503],
  ['target_refused', 'target_failed', 502],
  ['target_timeout', 'target_silent', 504],
  ['flow_timeout', 'device_silent', 504],
  ['target_not_allowed', 'target_forbidden', 403],
  ['stream_limit', 'busy', 503],
] as const)('tunnel error %s becomes %s with %i', (error, code, status) => {
  expect(pageOfOpenFailure(new TunnelError(error))).toBe(code)
  expect(pageKinds[code].status).toBe(status)
})

test('an unknown failure is a failed target', () => {
  expect(pageOfOpenFailure(new Error('ECONNREFUSED'))).toBe('target_failed')
})

test('the style is the only thing that the policy lets in', () => {
  const page = renderPage('unknown_name', browser)
  const style = /<style>([\s\S]*?)<\/style>/.exec(page.body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  const policy = headerOf(page, 'Content-Security-Policy')
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain(`style-src 'sha256-${hash}'`)
  expect(policy).toContain("frame-ancestors 'none'")
  expect(page.body).not.toMatch(/<script|style="|https?:/)
  expect(headerOf(page, 'X-Content-Type-Options')).toBe('nosniff')
  expect(headerOf(page, 'Cache-Control')).toBe('no-store')
  expect(headerOf(page, 'Referrer-Policy')).toBe('no-referrer')
})

test('what a visitor sent is text, never markup', () => {
  const page = renderPage('unknown_name', { ...browser, host: `<img src=x>&"'` })
  expect(page.body).toContain('&lt;img src=x&gt;&amp;&quot;&#39;')
  expect(page.body).not.toContain('<img')
})

test.each([
  [undefined, ''],
  [null, ''],
  ['/films?a=1&b=2', '/films?a=1&amp;b=2'],
  ['/', '/'],
  ['//evil.example/x', '/.//evil.example/x'],
  ['/\\evil.example', '/./\\evil.example'],
  ['/"><script>', '/&quot;&gt;&lt;script&gt;'],
  ['javascript:alert(1)', ''],
  ['*', ''],
])('trying again with the path %j leads to %j and never to another host', (retryPath, href) => {
  const page = renderPage('cookies_blocked', {
    ...browser,
    ...(retryPath !== undefined && { retryPath }),
  })
  expect(page.body).toContain(`<a class="retry" href="${href}">`)
  expect(new URL(href, 'https://nas.example/asked').host).toBe('nas.example')
})

test('a long name wraps behind its dots, and the sign needs no picture to be loaded', () => {
  const page = renderPage('unknown_name', { ...browser, host: 'nas.tunnel.example' })
  expect(page.body).toContain('<dd>nas.<wbr>tunnel.<wbr>example</dd>')
  expect(page.body).toContain('<svg ')
  expect(page.body).not.toMatch(/<img|url\(/)
})

test('a program gets problem+json', () => {
  const page = renderPage('device_offline', { ...browser, accept: '*/*', acceptLanguage: 'en' })
  expect(headerOf(page, 'Content-Type')).toBe('application/problem+json')
  expect(headerOf(page, 'Retry-After')).toBe('5')
  expect(JSON.parse(page.body)).toEqual({
    type: 'about:blank',
    title: 'The device is offline',
    status: 503,
    code: 'device_offline',
    detail: `${pageKinds.device_offline.en.reason} ${pageKinds.device_offline.en.next}`,
    request_id: 'r-1',
  })
})

test.each([
  [null, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', true],
  ['text/plain, TEXT/HTML;q=0.2', true],
  ['text/html;q=0, */*', false],
  ['text/htmlx', false],
  ['application/xhtml+xml', true],
])('Accept %s asks for HTML: %s', (accept, expected) => {
  expect(acceptsHtml(accept)).toBe(expected)
})

test.each([
  [null, 'zh'],
  ['', 'zh'],
  ['en', 'en'],
  ['en-GB,zh;q=0.5', 'en'],
  ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
  ['fr, en;q=0.3', 'en'],
  ['fr', 'zh'],
  ['en;q=0', 'zh'],
  ['en;q=x', 'zh'],
])('Accept-Language %s is answered in %s', (header, language) => {
  expect(chooseLanguage(header)).toBe(language)
})
