import { csrfCookie } from '@homeport/contract'

/** Names of the console's cookies; `__Host-` makes the browser refuse them from any other host (RFC 6265bis). */
export const cookieNames = (secure: boolean) =>
  secure
    ? { session: '__Host-hp_session', pre: '__Host-hp_pre', csrf: csrfCookie }
    : { session: 'hp_session', pre: 'hp_pre', csrf: csrfCookie }

/**
 * Reads one cookie. Two of one name mean that a sibling host or another path tossed one in, and the browser does not say
 * which is ours: then there is none.
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const values = (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
  return values.length === 1 ? values[0] : undefined
}

/** How a cookie is set. Values are base64url and need no quoting. */
export interface CookieOptions {
  secure: boolean
  /** False where the page's script has to read it. */
  httpOnly: boolean
  /** Absent: until the browser closes. 0 removes it. */
  maxAgeSeconds?: number
}

/** The value of a `Set-Cookie`: host-only, for all paths, not sent along from other sites but by navigation. */
export function writeCookie(name: string, value: string, options: CookieOptions): string {
  return [
    `${name}=${value}`,
    'Path=/',
    'SameSite=Lax',
    ...(options.maxAgeSeconds === undefined ? [] : [`Max-Age=${options.maxAgeSeconds}`]),
    ...(options.httpOnly ? ['HttpOnly'] : []),
    ...(options.secure ? ['Secure'] : []),
  ].join('; ')
}
