import type { Logger } from '@homeport/runtime'
import * as oidc from 'openid-client'
import { sessionLifetimeMs } from '../accounts/sessions.ts'
import type { OidcSettings } from '../config.ts'
import { AppError } from '../http/app-error.ts'
import type { SsoAdapter, SsoAnswer, SsoIdentity } from './adapter.ts'
import { readBounded } from './read-bounded.ts'

/** The provider has this many s to answer. */
const timeoutSeconds = 10

/** What the provider says of itself is asked for again after this many ms; its keys are by the library when a new one is named. */
const discoveryMs = 60 * 60 * 1000

/** The clocks of two machines may differ by this many s. */
const clockToleranceSeconds = 30

/**
 * How old the person's session at the provider may be for an ordinary sign-in, in s: as old as one here. A provider that is
 * given any bound has to tell when the person proved who they are (OpenID Connect Core 1.0, section 3.1.2.1).
 */
const providerSessionSeconds = sessionLifetimeMs / 1000

/**
 * Makes the adapter of any OpenID Connect provider: discovery, code flow with PKCE, state, nonce; the ID token's signature,
 * issuer, audience and times are checked by the library (certified for the basic profile).
 */
export function createOidcAdapter(
  settings: OidcSettings,
  { clock, logger }: { clock: { now(): number }; logger: Logger },
): SsoAdapter {
  let known: { configuration: Promise<oidc.Configuration>; askedAt: number } | undefined

  function discover(): Promise<oidc.Configuration> {
    const now = clock.now()
    if (known !== undefined && now - known.askedAt < discoveryMs) return known.configuration
    const asked = { configuration: askProvider(settings), askedAt: now }
    known = asked
    // A failure is not kept: the next one who comes asks anew.
    asked.configuration.catch(() => {
      if (known === asked) known = undefined
    })
    return asked.configuration
  }

  /** Sorts what the library throws: the person's answer was wrong, or the provider does not work (a fault for the log). */
  async function run<T>(task: () => Promise<T>, isAnswerWrong = isRefusal): Promise<T> {
    try {
      return await task()
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      if (isAnswerWrong(cause)) throw new AppError('sso_refused', { cause })
      logger.warn(
        { issuer: settings.issuer, ...describeFault(cause) },
        'the OpenID Connect provider failed',
      )
      throw new AppError('sso_unavailable', { cause })
    }
  }

  /** Before there is an answer of the person, every fault is the provider's. */
  const reach = <T>(task: () => Promise<T>) => run(task, () => false)

  return {
    name: 'oidc',
    label: settings.label,
    way: 'redirect',
    subjects: 'outside',

    loginUrl: ({ redirectUri, state, nonce, codeChallenge, isStepUp }) =>
      reach(async () => {
        const address = oidc.buildAuthorizationUrl(await discover(), {
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: codeChallenge,
          code_challenge_method: 'S256',
          // Both say the same; some providers know only one of them.
          ...(isStepUp
            ? { prompt: 'login', max_age: '0' }
            : { max_age: String(providerSessionSeconds) }),
        })
        return address.href
      }),

    redeem: answer => run(async () => redeem(await reach(discover), answer, clock.now())),
  }
}

/** What the log may hold: an error's own fields can carry tokens. */
function describeFault(cause: unknown): Record<string, unknown> {
  if (cause instanceof oidc.ResponseBodyError) return { error: cause.error, status: cause.status }
  if (cause instanceof oidc.ClientError) return { reason: cause.message, code: cause.code }
  return { reason: cause instanceof Error ? cause.message : 'unknown' }
}

async function askProvider({
  issuer,
  clientId,
  clientSecret,
}: OidcSettings): Promise<oidc.Configuration> {
  const server = new URL(issuer)
  const execute = [
    // The ID token comes from the provider itself; its signature is checked all the same.
    oidc.enableNonRepudiationChecks,
    ...(server.protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
  ]
  const options = { execute, timeout: timeoutSeconds, [oidc.customFetch]: fetchBounded }
  const metadata = { [oidc.clockTolerance]: clockToleranceSeconds }
  const found = await oidc.discovery(server, clientId, metadata, oidc.None(), options)
  if (clientSecret === undefined) return found
  // The way to show the secret is the provider's choice; without a word of it, the basic one (OpenID Connect Discovery, section 3).
  const ways = found.serverMetadata().token_endpoint_auth_methods_supported
  const isBasic = ways === undefined || ways.includes('client_secret_basic')
  const proof = isBasic ? oidc.ClientSecretBasic(clientSecret) : oidc.ClientSecretPost(clientSecret)
  const configuration = new oidc.Configuration(found.serverMetadata(), clientId, metadata, proof)
  configuration.timeout = timeoutSeconds
  configuration[oidc.customFetch] = fetchBounded
  for (const set of execute) set(configuration)
  return configuration
}

/** The library reads whole answers into memory; one without an end would fill it. */
const fetchBounded: oidc.CustomFetch = async (address, options) => {
  const response = await fetch(address, options as RequestInit)
  const { status, statusText, headers } = response
  const body = await readBounded(response)
  return new Response(body.length === 0 ? null : body, { status, statusText, headers })
}

async function redeem(
  configuration: oidc.Configuration,
  answer: SsoAnswer,
  now: number,
): Promise<SsoIdentity> {
  const address = new URL(answer.redirectUri)
  for (const [name, value] of Object.entries(answer.parameters)) {
    address.searchParams.set(name, value)
  }
  const tokens = await oidc.authorizationCodeGrant(configuration, address, {
    pkceCodeVerifier: answer.codeVerifier,
    expectedState: answer.state,
    expectedNonce: answer.nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (claims === undefined) throw new Error('the provider sent no ID token')
  // The library compares it only in a token for several; one for us that was given to somebody else is as stolen.
  const { client_id: own } = configuration.clientMetadata()
  if (claims.azp !== undefined && claims.azp !== own) throw new AppError('sso_refused')
  // "MUST NOT exceed 255 ASCII characters" (OpenID Connect Core, section 2): longer ones may not fit an index, U+0000 fits no text.
  if (!/^\P{Cc}{1,255}$/u.test(claims.sub)) throw new AppError('sso_refused')
  const name = nameIn(claims) ?? (await askName(configuration, tokens.access_token, claims.sub))
  return {
    // A subject is unique at its issuer alone; an issuer holds no `#` (OpenID Connect Discovery, section 2).
    subject: `${claims.iss}#${claims.sub}`,
    authenticatedAt: readAuthTime(claims.auth_time, now),
    ...(name === undefined ? {} : { displayName: name }),
  }
}

// A provider whose clock is far ahead would make every sign-in a recent one.
function readAuthTime(seconds: number | undefined, now: number): number | null {
  const isTold = seconds !== undefined && seconds * 1000 <= now + clockToleranceSeconds * 1000
  return isTold ? Math.floor(seconds * 1000) : null
}

type Claims = { readonly [name: string]: unknown }

const nameIn = ({ name, preferred_username: username }: Claims): string | undefined =>
  [username, name].find((value): value is string => typeof value === 'string' && value !== '')

/** The name from the provider's userinfo, where it has one: many put none into the ID token. */
async function askName(
  configuration: oidc.Configuration,
  accessToken: string,
  subject: string,
): Promise<string | undefined> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return undefined
  return nameIn(await oidc.fetchUserInfo(configuration, accessToken, subject))
}

/** Errors of the token endpoint that speak of the person's code (RFC 6749 section 5.2) and not of our settings. */
const refusals = ['invalid_grant', 'access_denied']

function isRefusal(cause: unknown): boolean {
  if (cause instanceof oidc.AuthorizationResponseError) return true
  if (cause instanceof oidc.ResponseBodyError) return refusals.includes(cause.error)
  // An answer that fails a check of ours: state, nonce, issuer, signature.
  const code = cause instanceof oidc.ClientError ? cause.code : undefined
  return answerFaults.some(fault => fault === code)
}

const answerFaults = [
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
]
