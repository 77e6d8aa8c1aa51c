import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'

/** A real OpenID Connect provider on loopback; its own page lets anybody in under any name. */
export interface TestProvider {
  readonly issuer: string
  readonly client: { clientId: string; clientSecret: string }
  /** How often codes were traded in, rightly or not. */
  trades(): number
  /** While true, the token endpoint answers 500. */
  break(isBroken: boolean): void
  /** Whoever says from now on who they are did so this many ms ago. */
  signInAgo(ms: number): void
  /** While true, it is one that knows neither `max_age` nor `prompt`, and tells no `auth_time`. */
  ignoreAge(isIgnoring: boolean): void
  stop(): Promise<void>
}

const client = { clientId: 'homeport', clientSecret: 'a secret of the test' }

/** Starts one for a console's address. */
export async function startTestProvider(consoleUrl: string): Promise<TestProvider> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let trades = 0
  let isBroken = false
  let signedInAgoMs = 0
  let ignoresAge = false

  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${consoleUrl}/custom/sso/callback`],
      },
    ],
    pkce: { required: () => true },
    claims: { openid: ['sub'], profile: ['name', 'preferred_username'], email: ['email'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['a key of the test'] },
    interactions: { url: (_, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: id, email: `${id}@example.com` }),
    }),
    // The person was asked on the page below; a second page would only ask the same.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      Grant: 60,
      IdToken: 60,
      Interaction: 60,
      Session: 600,
    },
  })
  const answer = provider.callback()
  const signedInAt = () => Math.floor((Date.now() - signedInAgoMs) / 1000)

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') {
      const form = new URLSearchParams(await text(request))
      const isIn = form.has('name') && !form.has('cancel')
      const result = isIn
        ? { login: { accountId: form.get('name') ?? '', ts: signedInAt() } }
        : { error: 'access_denied', error_description: 'the person said no' }
      await provider.interactionFinished(request, response, result, {
        mergeWithLastSubmission: false,
      })
      return
    }
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><title>provider</title><h1>Provider</h1>
<form method="post"><label>Name <input name="name"></label>
<button>Go on</button><button name="cancel" value="yes">Cancel</button></form>`)
  }

  server.on('request', (request, response) => {
    const isTrade = request.method === 'POST' && request.url === '/token'
    if (isTrade) trades += 1
    if (isTrade && isBroken) {
      response.writeHead(500).end('broken')
      return
    }
    if (request.url?.startsWith('/interaction/')) {
      interact(request, response).catch(error => {
        response.writeHead(500).end(String(error))
      })
      return
    }
    if (ignoresAge) request.url = withoutAge(request.url ?? '/')
    void answer(request, response)
  })

  return {
    issuer,
    client,
    trades: () => trades,
    break(next) {
      isBroken = next
    },
    signInAgo(ms) {
      signedInAgoMs = ms
    },
    ignoreAge(next) {
      ignoresAge = next
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function withoutAge(target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://provider')
  if (pathname !== '/auth') return target
  for (const name of ['max_age', 'prompt']) searchParams.delete(name)
  return `${pathname}?${searchParams}`
}

/**
 * Goes to the provider, says who it is (or no, for null) where it is asked, and gives the address that the provider sends
 * it back to. A browser is known there again by its cookies, `jar`.
 */
export async function passProvider(
  loginUrl: string,
  name: string | null,
  jar = new Map<string, string>(),
): Promise<URL> {
  const visit = async (address: string, body?: URLSearchParams): Promise<Response> => {
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([key, value]) => `${key}=${value}`).join('; ') },
      ...(body === undefined ? {} : { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, key = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(key)
      else jar.set(key, value)
    }
    return response
  }
  const next = (response: Response, from: string) => {
    const location = response.headers.get('location')
    if (location === null) throw new Error(`no way on from ${from}: ${response.status}`)
    return new URL(location, from).href
  }
  const page = next(await visit(loginUrl), loginUrl)
  if (new URL(page).origin !== new URL(loginUrl).origin) return new URL(page)
  const form = new URLSearchParams(name === null ? { cancel: 'yes' } : { name })
  const resumed = next(await visit(page, form), page)
  return new URL(next(await visit(resumed), resumed))
}
