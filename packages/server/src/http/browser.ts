import { createRandomId } from '@homeport/runtime'
import type { Actor } from './actor.ts'
import { cookieNames, expireTossed, readCookies, writeCookie } from './cookies.ts'
import { csrfValueFor, isSameSecret } from './csrf.ts'

/** The session cookie is kept by the browser for as long as a session can last; the server ends it earlier. */
const sessionCookieSeconds = 90 * 24 * 60 * 60

/** Finds the account behind the value of a session cookie; null where it is unknown, ended or expired. */
export type FindActor = (sessionToken: string) => Promise<Actor | null>

/** The cookies of one request and what its answer does to them. */
export interface Browser {
  readonly actor: Actor | null
  /** The CSRF value that an unsafe call of this browser must carry. */
  readonly csrfValue: string
  /** CSRF values under which this browser may have begun something: the current one, and the one of before it signed in. */
  readonly knownValues: readonly string[]
  /** The answer carries this new session and its CSRF value. */
  startSession(token: string): void
  /** The answer takes the session away. */
  endSession(): void
  /** Lines of `Set-Cookie` for the answer: only what is missing or stale. */
  listCookies(): string[]
}

/** What a browser is read from. */
export interface BrowserSource {
  cookieHeader: string | undefined
  secure: boolean
  csrfKey: Buffer
  findActor: FindActor
  /** Where the request went: host without a port, and path. */
  place: { host: string; path: string }
}

/** Session cookies that are looked up where several were sent. */
const sessionsTried = 8

/** Reads the cookies and looks the session up. */
export async function readBrowser(source: BrowserSource): Promise<Browser> {
  const { cookieHeader, secure, csrfKey } = source
  const names = cookieNames(secure)
  const sent = (name: string) => readCookies(cookieHeader, name)
  const only = (name: string) => (sent(name).length === 1 ? sent(name)[0] : undefined)
  const tossed = Object.values(names).filter(name => sent(name).length > 1)
  const { actor, token } = await findSession(sent(names.session), source.findActor)
  const given = { session: token, pre: readPreId(only(names.pre)), csrf: only(names.csrf) }
  const preId = given.pre ?? createRandomId()

  let session = actor === null ? undefined : given.session
  const preValue = csrfValueFor(csrfKey, { kind: 'pre', secret: preId })
  const csrfValue = () =>
    session === undefined ? preValue : csrfValueFor(csrfKey, { kind: 'session', secret: session })

  return {
    actor,
    csrfValue: csrfValue(),
    knownValues: [...new Set([csrfValue(), preValue])],
    startSession(token) {
      session = token
    },
    endSession() {
      session = undefined
    },
    listCookies() {
      const lines = expireTossed(tossed, source.place)
      // A name that is absent or sent twice reads as undefined; removing it then is in vain but harmless.
      if (session === undefined && given.session !== undefined) {
        lines.push(writeCookie(names.session, '', { secure, httpOnly: true, maxAgeSeconds: 0 }))
      }
      // Written anew beside what is taken away: a proxy that cuts `Domain` off would make that ours.
      const isDoubted = tossed.includes(names.session)
      if (session !== undefined && (session !== given.session || isDoubted)) {
        const maxAgeSeconds = sessionCookieSeconds
        lines.push(writeCookie(names.session, session, { secure, httpOnly: true, maxAgeSeconds }))
      }
      if (session === undefined && given.pre === undefined) {
        lines.push(writeCookie(names.pre, preId, { secure, httpOnly: true }))
      }
      if (!isSameSecret(given.csrf, csrfValue())) {
        lines.push(writeCookie(names.csrf, csrfValue(), { secure, httpOnly: false }))
      }
      return lines
    },
  }
}

/**
 * The session of a browser. Beside one that lives, others that mean nothing do not count: a sibling could sign anybody out with
 * them. Of two that live nobody knows which is the browser's own, and none counts.
 */
async function findSession(
  tokens: readonly string[],
  findActor: FindActor,
): Promise<{ actor: Actor | null; token: string | undefined }> {
  const tried = tokens.slice(0, sessionsTried)
  const actors = await Promise.all(tried.map(findActor))
  const live = actors.flatMap((actor, index) =>
    actor === null ? [] : [{ actor, token: tried[index] }],
  )
  const [found] = live
  if (found !== undefined && live.length === 1) return found
  return { actor: null, token: tokens.length === 1 ? tokens[0] : undefined }
}

const readPreId = (text: string | undefined) =>
  text !== undefined && /^[A-Za-z0-9_-]{22}$/.test(text) ? text : undefined
