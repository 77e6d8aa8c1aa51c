import { describe, expect, it } from 'vitest'
import { createOwnFetch, readCookie } from './own-fetch.ts'

function recording(cookies: string) {
  const sent: Headers[] = []
  const ownFetch = createOwnFetch({
    fetch: async (_, init) => {
      sent.push(new Headers(init?.headers))
      return new Response(null, { status: 204 })
    },
    origin: 'https://console.example',
    readCookies: () => cookies,
    readLanguage: () => 'en',
  })
  return { sent, ownFetch }
}

describe('own fetch', () => {
  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('puts the CSRF header on an own %s', async method => {
    const { sent, ownFetch } = recording('a=1; csrftoken=abc.def; b=2')
    await ownFetch('/api/profile/', { method, headers: { Accept: 'application/json' } })
    expect(sent[0]?.get('X-CSRFToken')).toBe('abc.def')
    expect(sent[0]?.get('Accept')).toBe('application/json')
    expect(sent[0]?.get('Accept-Language')).toBe('en')
  })

  it.each([
    'https://evil.example/api/',
    '//evil.example/api/',
    'http://console.example/api/',
    'https://console.example:8443/',
    'https://console.example@evil.example/',
  ])('puts it on no call to %s', async url => {
    const { sent, ownFetch } = recording('csrftoken=abc')
    await ownFetch(url)
    expect(sent[0]?.has('X-CSRFToken')).toBe(false)
  })

  it('sends no header where there is no cookie', async () => {
    const { sent, ownFetch } = recording('')
    await ownFetch('/api/profile/')
    expect(sent[0]?.has('X-CSRFToken')).toBe(false)
  })
})

describe('readCookie', () => {
  it.each([
    ['csrftoken=x', 'x'],
    ['other=1;  csrftoken=a=b', 'a=b'],
    ['xcsrftoken=1', undefined],
    ['csrftoken=', undefined],
    ['', undefined],
  ])('reads "%s"', (cookies, value) => {
    expect(readCookie(cookies, 'csrftoken')).toBe(value)
  })
})
