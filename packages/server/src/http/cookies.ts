import { csrfCookie } from '@homeport/contract'

/** Names of the console's cookies; `__Host-` makes the browser refuse them from any other host (RFC 6265bis). */
export const cookieNames = (secure: boolean) =>
  secure
    ? { session: '__Host-hp_session', pre: '__Host-hp_pre', csrf: csrfCookie }
    : { session: 'hp_session', pre: 'hp_pre', csrf: csrfCookie }

/**
 * Every different value of one cookie, in the order sent. More than one means that a sibling host or another path tossed one
 * in, and the browser does not say which is ours.
 */
export function readCookies(header: string | undefined, name: string): string[] {
  const values = (header ?? '')
    .split(';')
    .map(pair => pair.trim())
    .filter(pair => pair.startsWith(`${name}=`))
    .map(pair => pair.slice(name.length + 1))
  return [...new Set(values)]
}

/** The most lines that take tossed cookies away in one answer. */
const expiryLimit = 48

/**
 * Lines of `Set-Cookie` that take away what siblings tossed in under these names: cookies of every parent of `host`, for every
 * path that leads to `path`. Our own cookies have no `Domain` and stay.
 */
export function expireTossed(
  names: readonly string[],
  { host, path }: { host: string; path: string },
): string[] {
  const labels = /^[\d.]+$|:/.test(host) ? [] : host.split('.')
  const parents = labels.slice(1, -1).map((_, index) => labels.slice(index + 1).join('.'))
  const steps = path.split('/').slice(1)
  const folders = steps.map((_, index) => `/${steps.slice(0, index + 1).join('/')}`)
  const paths = ['/', ...folders.flatMap(folder => [folder, `${folder}/`])]
  // Another character would end the attribute.
  const plain = [...new Set(paths)].filter(text => /^[\w/.-]+$/.test(text) && !text.includes('//'))
  return plain
    .flatMap(at =>
      parents.flatMap(parent =>
        names.map(name => `${name}=; Domain=${parent}; Path=${at}; Max-Age=0`),
      ),
    )
    .slice(0, expiryLimit)
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
