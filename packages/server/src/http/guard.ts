import { type CallAccess, csrfHeader } from '@homeport/contract'
import type { Clock, RateLimiter } from '@homeport/runtime'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerSettings } from '../config.ts'
import type { Actor } from './actor.ts'
import { AppError } from './app-error.ts'
import { type FindActor, readBrowser } from './browser.ts'
import { isSameSecret } from './csrf.ts'
import { limitKeyOf, readRequestFacts } from './request-facts.ts'

/** What the guard needs. */
export interface GuardOptions {
  settings: ServerSettings
  clock: Pick<Clock, 'now'>
  csrfKey: Buffer
  findActor: FindActor
  callLimiter: RateLimiter
  /** For the console's own files, of which one page has dozens. */
  fileLimiter: RateLimiter
}

const isFile = (request: FastifyRequest) => request.url.startsWith('/assets/')

/**
 * A page of another origin may lead a person here, and load nothing of ours (Fetch Metadata, a resource isolation policy). Browsers say so
 * on https and on this machine. `/healthz` tells the way to a relay, which another console's page may measure.
 */
function isLoadedElsewhere({ headers, url }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  if (site === undefined || site === 'same-origin' || site === 'none') return false
  // Frames and objects navigate too, and say what they are.
  const dest = headers['sec-fetch-dest'] ?? 'document'
  const isPage = headers['sec-fetch-mode'] === 'navigate' && dest === 'document'
  return !isPage && url !== '/healthz'
}

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Puts the guard before every route: facts, rate limit, session, CSRF, access. It runs before a body is read. */
export function installGuard(app: FastifyInstance, options: GuardOptions): void {
  app.decorateRequest('facts')
  app.decorateRequest('browser')

  app.addHook('onRequest', async (request, reply) => {
    request.facts = readRequestFacts(request, options.settings)
    reply.header('X-Request-Id', request.facts.id)
    const { access, writes } = request.routeOptions.config
    // Before anything is counted: pages elsewhere must not use up what the person's address may do.
    if (isLoadedElsewhere(request)) throw new AppError('forbidden')
    checkRate(request, isFile(request) ? options.fileLimiter : options.callLimiter)
    request.browser = await readBrowser({
      // An agent's call proves itself; a cookie that comes along must not lend it an account.
      cookieHeader: access === 'agent' ? undefined : request.headers.cookie,
      secure: request.facts.secure,
      csrfKey: options.csrfKey,
      findActor: options.findActor,
      place: {
        host: new URL(request.facts.ownOrigin).hostname,
        path: request.url.split('?')[0] ?? '/',
      },
    })
    if (access === undefined) return
    if (access !== 'agent' && !safeMethods.has(request.method)) checkSender(request)
    // Browsers send no `Origin` with a GET of the own page: the value alone tells.
    else if (writes && !hasCsrfValue(request)) throw new AppError('csrf_failed')
    checkAccess(access, request.browser.actor, options.clock.now())
  })

  app.addHook('onSend', async (request, reply) => {
    // A fault before the hook above leaves both unset; such an answer carries no cookies.
    if (request.browser === undefined || request.routeOptions.config.access === 'agent') return
    const lines = request.browser.listCookies()
    if (lines.length === 0) return
    reply.header('Set-Cookie', lines)
    keepPrivate(reply)
  })
}

// A shared cache that kept an answer with cookies would hand them to the next visitor.
function keepPrivate(reply: FastifyReply): void {
  const caching = String(reply.getHeader('Cache-Control') ?? 'no-store')
  if (/no-store|private/.test(caching)) return
  const isPublic = caching.includes('public')
  reply.header(
    'Cache-Control',
    isPublic ? caching.replace('public', 'private') : `${caching}, private`,
  )
}

function checkRate(request: FastifyRequest, limiter: RateLimiter): void {
  const answer = limiter.take(limitKeyOf(request.facts.address))
  if (answer.isAllowed) return
  const retryAfterSeconds = Math.ceil(answer.retryAfterMs / 1000)
  throw new AppError('rate_limited', { retryAfterSeconds })
}

/** Refuses an unsafe request that our own page did not send; throws `csrf_failed`. */
function checkSender(request: FastifyRequest): void {
  if (!isSentByOwnPage(request)) throw new AppError('csrf_failed')
}

/** True where both `Origin` and the CSRF value are ours; `given` stands in for the header in a form. */
export function isSentByOwnPage(request: FastifyRequest, given?: string): boolean {
  return request.headers.origin === request.facts.ownOrigin && hasCsrfValue(request, given)
}

function hasCsrfValue(request: FastifyRequest, given?: string): boolean {
  const header = request.headers[csrfHeader.toLowerCase()]
  const value = given ?? (typeof header === 'string' ? header : undefined)
  return isSameSecret(value, request.browser.csrfValue)
}

function checkAccess(access: CallAccess, actor: Actor | null, now: number): void {
  if (access === 'anyone' || access === 'agent') return
  if (actor === null) throw new AppError('not_signed_in')
  if (access === 'staff' && !actor.isStaff) throw new AppError('forbidden')
  if (access === 'recent' && now >= actor.recentUntil) throw new AppError('recent_sign_in_required')
}
