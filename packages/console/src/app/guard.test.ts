import { describe, expect, it } from 'vitest'
import { decideGuard, type GuardDecision, type GuardedRoute } from './guard.ts'

const show: GuardDecision = { kind: 'show' }
const go = (to: string): GuardDecision => ({ kind: 'go', to })
const n = 'A'.repeat(43)
const url = 'http://nas.localhost:8080/a?b=1#c'
const encoded = encodeURIComponent(url)

describe('the guard of client.md section 2', () => {
  it.each<[GuardedRoute, boolean, string, GuardDecision]>([
    // Not signed in: /login is shown, everything else goes there with its query.
    ['login', false, '', show],
    ['login', false, `?url=${encoded}&n=${n}`, show],
    ['login', false, '?invalidDomain=x.localhost', show],
    ['home', false, '', go('/login')],
    ['home', false, '?invalidDomain=x.localhost', go('/login?invalidDomain=x.localhost')],
    ['home', false, `?a=1&url=${encoded}`, go(`/login?a=1&url=${encoded}`)],
    ['errorport', false, '?invalidDomain=x.localhost', go('/login?invalidDomain=x.localhost')],
    ['errorport', false, '', go('/login')],
    // Signed in: /login leads on in the order url, invalidDomain, home.
    ['login', true, '', go('/')],
    ['login', true, '?url=&invalidDomain=', go('/')],
    ['login', true, '?invalidDomain=x.localhost', go('/errorport?invalidDomain=x.localhost')],
    ['login', true, '?pairing=abc', go('/bind?pairing=abc')],
    ['login', true, '?confirm_email=abc', go('/user/info?confirm_email=abc')],
    ['login', true, '?request=abc', go('/sso/confirm?request=abc')],
    ['login', true, '?request=', go('/')],
    ['ssoConfirm', false, '?request=abc', go('/login?request=abc')],
    ['ssoConfirm', true, '?request=abc', show],
    ['ssoConfirm', true, '?invalidDomain=x.localhost', show],
    [
      'login',
      true,
      '?pairing=abc&invalidDomain=x.localhost',
      go('/errorport?invalidDomain=x.localhost'),
    ],
    [
      'login',
      true,
      `?url=${encoded}`,
      { kind: 'enter', url, nonceHash: undefined, otherwise: go('/') },
    ],
    [
      'login',
      true,
      `?url=${encoded}&n=${n}`,
      { kind: 'enter', url, nonceHash: n, otherwise: go('/') },
    ],
    [
      'login',
      true,
      `?url=${encoded}&n=short`,
      { kind: 'enter', url, nonceHash: undefined, otherwise: go('/') },
    ],
    [
      'login',
      true,
      `?invalidDomain=x.localhost&url=${encoded}`,
      {
        kind: 'enter',
        url,
        nonceHash: undefined,
        otherwise: go('/errorport?invalidDomain=x.localhost'),
      },
    ],
    // Signed in at home: only invalidDomain leads away.
    ['home', true, '', show],
    ['home', true, '?invalidDomain=', show],
    ['home', true, `?url=${encoded}`, show],
    ['home', true, '?invalidDomain=x.localhost', go('/errorport?invalidDomain=x.localhost')],
    ['errorport', true, '', show],
    ['errorport', true, '?invalidDomain=x.localhost', show],
  ])('%s, signed in %s, query "%s"', (route, signedIn, search, expected) => {
    expect(decideGuard({ route, signedIn, search })).toEqual(expected)
  })

  it('keeps a hostile name inside the query of the error page', () => {
    const search = `?invalidDomain=${encodeURIComponent('a&url=//evil#/login')}`
    expect(decideGuard({ route: 'home', signedIn: true, search })).toEqual(
      go('/errorport?invalidDomain=a%26url%3D%2F%2Fevil%23%2Flogin'),
    )
  })
})
