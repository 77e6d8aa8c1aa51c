import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the provider under attack is asked to say; each function gets what an honest one would say. */
export interface Lies {
  /** The discovery document. */
  metadata?: (honest: Record<string, unknown>) => Record<string, unknown>
  /** Claims of the ID token; `undefined` leaves one out. */
  claims?: (honest: Claims) => Claims
  /** The ID token itself, instead of one that is signed rightly. */
  token?: (claims: Claims, keys: HostileKeys) => string
  /** The whole answer of an address: `token`, `jwks` or `userinfo`. */
  answer?: Partial<Record<'token' | 'jwks' | 'userinfo', (response: ServerResponse) => void>>
  /** What userinfo says. */
  person?: Record<string, unknown>
}

/** What an ID token says. */
export type Claims = Record<string, unknown>

/** Keys that an ID token may be signed with. */
export interface HostileKeys {
  /** The one that is published. */
  own: KeyObject
  /** Another one, of nobody. */
  foreign: KeyObject
  /** The published one as text, for those who take it for a shared secret. */
  published: string
}

/** A provider that lies, on loopback. */
export interface HostileProvider {
  readonly issuer: string
  /** Tells other lies from now on. */
  lie(lies: Lies): void
  /** The way back of a person who agreed at once. */
  agree(loginUrl: string, code?: string): URL
  /** Codes that were brought to the token endpoint. */
  readonly codes: string[]
  /** Tokens that it gave out. */
  readonly tokens: string[]
  stop(): Promise<void>
}

export const hostileClient = { clientId: 'homeport', clientSecret: 'a secret of the test' }

const makeKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token (RFC 7515, compact) with a signature by a private key (RS256), a text that is taken for a secret (HS256), or none. */
export function signToken(header: object, claims: Claims, key: KeyObject | string | null): string {
  const text = `${encode(header)}.${encode(claims)}`
  if (key === null) return `${text}.`
  const signature =
    typeof key === 'string'
      ? createHmac('sha256', key).update(text).digest()
      : sign('sha256', Buffer.from(text), key)
  return `${text}.${signature.toString('base64url')}`
}

/** Starts one that is honest until it is told to lie. */
export async function startHostileProvider(): Promise<HostileProvider> {
  const [own, foreign] = [makeKeys(), makeKeys()]
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'own', alg: 'RS256', use: 'sig' }
  const keys = { own: own.privateKey, foreign: foreign.privateKey, published: JSON.stringify(jwk) }
  const [codes, tokens] = [[] as string[], [] as string[]]
  let lies: Lies = {}
  let nonce = ''
  let subject: unknown = 'li'
  let count = 0

  const server = createServer((request, response) => {
    answer(request, response).catch(error => response.writeHead(500).end(String(error)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const say = (response: ServerResponse, body: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))

  function makeToken(): string {
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: issuer, aud: hostileClient.clientId, sub: 'li', nonce }
    const full = { ...honest, iat: now, exp: now + 60 }
    const claims = lies.claims?.(full) ?? full
    subject = claims.sub
    const header = { alg: 'RS256', kid: 'own' }
    const token = lies.token?.(claims, keys) ?? signToken(header, claims, keys.own)
    tokens.push(token)
    return token
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (request.url) {
      case '/.well-known/openid-configuration': {
        const honest = {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          userinfo_endpoint: `${issuer}/userinfo`,
          response_types_supported: ['code'],
          subject_types_supported: ['public'],
          id_token_signing_alg_values_supported: ['RS256'],
        }
        say(response, lies.metadata?.(honest) ?? honest)
        return
      }
      case '/jwks':
        if (lies.answer?.jwks !== undefined) return lies.answer.jwks(response)
        say(response, { keys: [jwk] })
        return
      case '/token': {
        let text = ''
        for await (const chunk of request) text += chunk
        codes.push(new URLSearchParams(text).get('code') ?? '')
        if (lies.answer?.token !== undefined) return lies.answer.token(response)
        const token = makeToken()
        say(response, { access_token: 'access', token_type: 'Bearer', id_token: token })
        return
      }
      case '/userinfo':
        if (lies.answer?.userinfo !== undefined) return lies.answer.userinfo(response)
        say(response, lies.person ?? { sub: subject })
        return
      default:
        response.writeHead(404).end()
    }
  }

  return {
    issuer,
    codes,
    tokens,
    lie(next) {
      lies = next
    },
    agree(loginUrl, code = `code-${count++}`) {
      const { searchParams: asked } = new URL(loginUrl)
      nonce = asked.get('nonce') ?? ''
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = String(new URLSearchParams({ code, state: asked.get('state') ?? '' }))
      return back
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
