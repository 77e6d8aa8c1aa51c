import { describe, expect, it } from 'vitest'
import { type SignOnInput, settleSignOn } from './sign-on-settings.ts'

const settle = (extra: Partial<SignOnInput>) =>
  settleSignOn({
    oidcIssuer: undefined,
    oidcClientId: undefined,
    oidcClientSecret: undefined,
    oidcLabel: 'OpenID',
    oidcScopes: ['openid', 'profile'],
    wechatAppId: undefined,
    wechatSecret: undefined,
    wechatApiUrl: undefined,
    ...extra,
  })
const problemsOf = (extra: Partial<SignOnInput>) => {
  const settled = settle(extra)
  return settled.ok ? [] : settled.problems
}

describe('other services to sign in with', () => {
  it('are none where nothing is said', () => {
    expect(settle({})).toEqual({ ok: true, settings: {} })
  })

  it('are those that are named whole', () => {
    const settled = settle({
      oidcIssuer: new URL('https://id.example.com/realms/home'),
      oidcClientId: 'homeport',
      oidcClientSecret: 'secret',
      oidcLabel: '公司账号',
      wechatAppId: 'wx1',
      wechatSecret: 'other',
      wechatApiUrl: new URL('https://weixin.example.com/'),
    })
    expect(settled).toEqual({
      ok: true,
      settings: {
        oidc: {
          issuer: 'https://id.example.com/realms/home',
          clientId: 'homeport',
          clientSecret: 'secret',
          label: '公司账号',
          scopes: ['openid', 'profile'],
        },
        wechat: { appId: 'wx1', secret: 'other', apiUrl: 'https://weixin.example.com' },
      },
    })
  })

  it('may be on http on this machine alone', () => {
    const issuerProblems = (issuer: string) =>
      problemsOf({ oidcIssuer: new URL(issuer), oidcClientId: 'a' })
    expect(issuerProblems('http://127.0.0.1:9000')).toEqual([])
    expect(issuerProblems('http://[::1]:9000')).toEqual([])
    expect(issuerProblems('http://id.example.com')).toEqual([
      expect.stringContaining('HOMEPORT_OIDC_ISSUER is http://'),
    ])
    const apiProblems = (api: string) =>
      problemsOf({ wechatAppId: 'a', wechatSecret: 'b', wechatApiUrl: new URL(api) })
    expect(apiProblems('http://127.0.0.1:9000')).toEqual([])
    expect(apiProblems('http://weixin.example.com')).toEqual([
      expect.stringContaining('HOMEPORT_WECHAT_API_URL is http://'),
    ])
  })

  it('are refused with every problem at once', () => {
    const problems = problemsOf({
      oidcIssuer: new URL('http://id.example.com/?a=b'),
      oidcScopes: ['profile'],
      wechatAppId: 'wx1',
    })
    expect(problems.map(problem => problem.split(' ')[0])).toEqual([
      'HOMEPORT_OIDC_ISSUER',
      'HOMEPORT_OIDC_ISSUER',
      'HOMEPORT_OIDC_ISSUER',
      'HOMEPORT_OIDC_SCOPES',
      'HOMEPORT_WECHAT_APP_ID',
    ])
  })

  it('are not half: a secret without a client is a mistake', () => {
    expect(problemsOf({ oidcClientSecret: 'a' })).toHaveLength(1)
    expect(problemsOf({ wechatSecret: 'a' })).toHaveLength(1)
  })
})
