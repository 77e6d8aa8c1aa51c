import { option, parseList, parseText, parseUrl } from '@homeport/runtime'

/** Other services to sign in with. */
export const signOnOptions = {
  oidcIssuer: option({
    env: 'HOMEPORT_OIDC_ISSUER',
    flag: '--oidc-issuer',
    placeholder: 'url',
    parse: parseUrl('https', 'http'),
    defaultText: 'none: no such way to sign in',
    doc: 'OpenID Connect provider to sign in with; https, or http on loopback.',
    example: 'https://id.example.com',
  }),
  oidcClientId: option({
    env: 'HOMEPORT_OIDC_CLIENT_ID',
    flag: '--oidc-client-id',
    placeholder: 'id',
    parse: parseText,
    defaultText: 'none',
    doc: 'Name of this service at the OpenID Connect provider.',
  }),
  oidcClientSecret: option({
    env: 'HOMEPORT_OIDC_CLIENT_SECRET',
    flag: '--oidc-client-secret',
    placeholder: 'secret',
    parse: parseText,
    defaultText: 'none: PKCE alone',
    doc: 'Its secret there.',
    isSecret: true,
  }),
  oidcLabel: option({
    env: 'HOMEPORT_OIDC_LABEL',
    flag: '--oidc-label',
    placeholder: 'text',
    parse: parseLabel,
    default: 'OpenID',
    doc: 'What the login page calls the OpenID Connect provider, at most 30 characters.',
    example: '公司账号',
  }),
  oidcScopes: option({
    env: 'HOMEPORT_OIDC_SCOPES',
    flag: '--oidc-scopes',
    placeholder: 'scope,…',
    parse: parseList(parseScope),
    default: ['openid', 'profile'],
    defaultText: 'openid,profile',
    doc: 'Scopes that are asked for; openid has to be one.',
  }),
  wechatAppId: option({
    env: 'HOMEPORT_WECHAT_APP_ID',
    flag: '--wechat-app-id',
    placeholder: 'id',
    parse: parseText,
    defaultText: 'none: no such way to sign in',
    doc: "AppID of a website application on WeChat's open platform (网站应用), to sign in with WeChat.",
  }),
  wechatSecret: option({
    env: 'HOMEPORT_WECHAT_SECRET',
    flag: '--wechat-secret',
    placeholder: 'secret',
    parse: parseText,
    defaultText: 'none',
    doc: 'Its AppSecret.',
    isSecret: true,
  }),
  wechatApiUrl: option({
    env: 'HOMEPORT_WECHAT_API_URL',
    flag: '--wechat-api-url',
    placeholder: 'url',
    parse: parseUrl('https', 'http'),
    defaultText: "WeChat's own",
    doc: "Address of WeChat's API where this machine reaches it through another one; https, or http on loopback: requests carry the AppSecret.",
    example: 'https://weixin.example.com',
  }),
}

function parseLabel(text: string): string {
  if (text.length > 30) throw new Error('must have at most 30 characters')
  return text
}

// RFC 6749 section 3.3.
function parseScope(text: string): string {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) throw new Error('must be scopes, without spaces')
  return text
}
