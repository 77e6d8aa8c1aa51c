import { createRandomId } from '@homeport/runtime'
import type { Actor } from './actor.ts'
import { cookieNames, readCookie, writeCookie } from './cookies.ts'
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
}

/** Reads the cookies and looks the session up. */
export async function readBrowser(source: BrowserSource): Promise<Browser> {
  const { cookieHeader, secure, csrfKey } = source
  const names = cookieNames(secure)
  const read = (name: string) => readCookie(cookieHeader, name)
  const given = {
    session: read(names.session),
    pre: readPreId(read(names.pre)),
    csrf: read(names.csrf),
  }
  const actor = given.session === undefined ? null : await source.findActor(given.session)
  const preId = given.pre ?? createRandomId()

  let session = actor === null ? undefined : given.session
  const csrfValue = () =>
    csrfValueFor(
      csrfKey,
      session === undefined ? { kind: 'pre', secret: preId } : { kind: 'session', secret: session },
    )

  return {
    actor,
    csrfValue: csrfValue(),
    startSession(token) {
      session = token
    },
    endSession() {
      session = undefined
    },
    listCookies() {
      const lines: string[] = []
      // A name that is absent or sent twice reads as undefined; removing it then is in vain but harmless.
      if (session === undefined && given.session !== undefined) {
        lines.push(writeCookie(names.session, '', { secure, httpOnly: true, maxAgeSeconds: 0 }))
      }
      if (session !== undefined && session !== given.session) {
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

const readPreId = (text: string | undefined) =>
  text !== undefined && /^[A-Za-z0-9_-]{22}$/.test(text) ? text : undefined
