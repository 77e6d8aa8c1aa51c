import { paths, withQuery } from '../paths.ts'

/** Routes with a guard of client.md section 2; `ssoConfirm` has the one of `errorport`. */
export type GuardedRoute = 'login' | 'home' | 'errorport' | 'ssoConfirm'

/** What a guard decides by. */
export interface GuardInput {
  route: GuardedRoute
  signedIn: boolean
  /** Query of the address with its question mark, or empty. */
  search: string
}

/**
 * What happens with the address: it is shown, the browser goes elsewhere inside the console, or a ticket is asked for
 * `url` (decisions.md section 5); `otherwise` holds where `url` is no name of this deployment.
 */
export type GuardDecision =
  | { kind: 'show' }
  | { kind: 'go'; to: string }
  | { kind: 'enter'; url: string; nonceHash: string | undefined; otherwise: GuardDecision }

const show: GuardDecision = { kind: 'show' }
const go = (to: string): GuardDecision => ({ kind: 'go', to })

// What the API takes; anything else is dropped, because a broken `n` must not keep the owner out.
const nonceHashShape = /^[A-Za-z0-9_-]{43}$/

/** Parameters of pages that need a sign-in first, and those pages. */
const ledBackBy = [
  { name: 'pairing', path: paths.bind },
  { name: 'request', path: paths.ssoConfirm },
  { name: 'confirm_email', path: paths.userInfo },
]

/** The address of the error page for a name. */
export const errorportOf = (invalidDomain: string): string =>
  withQuery(paths.errorport, { invalidDomain })

/** The guard of client.md section 2 as one table. Empty parameters count as absent. */
export function decideGuard({ route, signedIn, search }: GuardInput): GuardDecision {
  if (!signedIn) return route === 'login' ? show : go(`${paths.login}${search}`)
  if (route === 'errorport' || route === 'ssoConfirm') return show

  const query = new URLSearchParams(search)
  const invalidDomain = query.get('invalidDomain') ?? ''
  const toError = invalidDomain === '' ? undefined : go(errorportOf(invalidDomain))
  if (route === 'home') return toError ?? show

  // Whoever opened a link while signed out is led back to it; the specification's own parameters come first.
  const linked = ledBackBy.find(({ name }) => (query.get(name) ?? '') !== '')
  const home =
    linked === undefined
      ? paths.home
      : withQuery(linked.path, { [linked.name]: query.get(linked.name) ?? '' })
  const onward = toError ?? go(home)
  const url = query.get('url') ?? ''
  if (url === '') return onward
  const n = query.get('n') ?? ''
  const nonceHash = nonceHashShape.test(n) ? n : undefined
  return { kind: 'enter', url, nonceHash, otherwise: onward }
}
