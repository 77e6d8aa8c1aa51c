import type { ServerSettings } from '@homeport/server'
import { isLoopbackName } from './deployment.ts'

/** What an operator said of other services to sign in with; see `options.ts`. */
export interface SignOnInput {
  oidcIssuer: URL | undefined
  oidcClientId: string | undefined
  oidcClientSecret: string | undefined
  oidcLabel: string
  oidcScopes: readonly string[]
  wechatAppId: string | undefined
  wechatSecret: string | undefined
  wechatApiUrl: URL | undefined
}

/** Settles what the options mean together; every problem is named at once. */
export function settleSignOn(
  input: SignOnInput,
):
  | { ok: true; settings: Pick<ServerSettings, 'oidc' | 'wechat'> }
  | { ok: false; problems: string[] } {
  const problems: string[] = []
  const oidc = readOidc(input, problems)
  const wechat = readWechat(input, problems)
  if (problems.length > 0) return { ok: false, problems }
  return {
    ok: true,
    settings: {
      ...(oidc === undefined ? {} : { oidc }),
      ...(wechat === undefined ? {} : { wechat }),
    },
  }
}

function readOidc(input: SignOnInput, problems: string[]): ServerSettings['oidc'] {
  const { oidcIssuer: issuer, oidcClientId: clientId, oidcClientSecret: clientSecret } = input
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  if (issuer === undefined || clientId === undefined) {
    problems.push(
      'HOMEPORT_OIDC_ISSUER and HOMEPORT_OIDC_CLIENT_ID go together; one of them is missing',
    )
  }
  if (issuer !== undefined) {
    if (issuer.protocol === 'http:' && !isLoopbackName(issuer.hostname)) {
      problems.push(
        'HOMEPORT_OIDC_ISSUER is http:// and not on this machine: whoever is between could sign in as anybody',
      )
    }
    // OpenID Connect Discovery 1.0, section 3.
    if (issuer.search !== '' || issuer.hash !== '') {
      problems.push('HOMEPORT_OIDC_ISSUER must have no query and no fragment')
    }
  }
  if (!input.oidcScopes.includes('openid')) {
    problems.push('HOMEPORT_OIDC_SCOPES must have openid among them')
  }
  if (issuer === undefined || clientId === undefined) return undefined
  return {
    issuer: issuer.href,
    clientId,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    label: input.oidcLabel,
    scopes: input.oidcScopes,
  }
}

function readWechat(
  { wechatAppId: appId, wechatSecret: secret, wechatApiUrl: api }: SignOnInput,
  problems: string[],
): ServerSettings['wechat'] {
  if (appId === undefined && secret === undefined) return undefined
  if (api?.protocol === 'http:' && !isLoopbackName(api.hostname)) {
    problems.push(
      'HOMEPORT_WECHAT_API_URL is http:// and not on this machine: whoever is between would read the AppSecret',
    )
  }
  if (appId !== undefined && secret !== undefined) {
    return { appId, secret, ...(api === undefined ? {} : { apiUrl: api.href.replace(/\/$/, '') }) }
  }
  problems.push(
    'HOMEPORT_WECHAT_APP_ID and HOMEPORT_WECHAT_SECRET go together; one of them is missing',
  )
  return undefined
}
