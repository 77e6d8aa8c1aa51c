import { csrfCookie, csrfHeader } from '@homeport/contract'

/** What the fetch below needs from the browser; asked anew for every call. */
export interface OwnFetchOptions {
  fetch: typeof fetch
  /** Origin of the page. */
  origin: string
  /** `document.cookie` as it is now. */
  readCookies: () => string
  /** Language of the page: the server words its sentences in it. */
  readLanguage: () => string
}

/** Value of one cookie in a `document.cookie` text; undefined where it is missing or empty. */
export function readCookie(cookies: string, name: string): string | undefined {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) {
      const value = pair.slice(at + 1).trim()
      return value === '' ? undefined : value
    }
  }
  return undefined
}

/**
 * A fetch that puts the CSRF header and the language on every call to our own origin and on no other: the value
 * would let another origin make calls in the user's name.
 */
export function createOwnFetch(options: OwnFetchOptions): typeof fetch {
  return (input, init) => {
    const request = input instanceof Request ? input : undefined
    const url = new URL(request?.url ?? String(input), options.origin)
    if (url.origin !== options.origin) return options.fetch(input, init)
    const headers = new Headers(init?.headers ?? request?.headers)
    const csrf = readCookie(options.readCookies(), csrfCookie)
    if (csrf !== undefined) headers.set(csrfHeader, csrf)
    headers.set('Accept-Language', options.readLanguage())
    return options.fetch(input, { ...init, headers })
  }
}
