import { type CallArguments, linkIdentity, type SsoBegun, startSso } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

type Input = NonNullable<CallArguments<typeof startSso>['body']>

/** Parameters of the login page's address that go along; all but one are spelt alike in the call. */
const carried = ['url', 'n', 'invalidDomain', 'pairing', 'request', 'confirm_email', 'invite']
const spelling: Record<string, string> = { invalidDomain: 'invalid_domain' }

/**
 * What the login page was asked for, as the server keeps it while the browser is elsewhere. What the call would refuse is
 * left out: a broken link must not keep anybody from signing in.
 */
export function readOnward(query: URLSearchParams): Input {
  const given = carried.map(name => [spelling[name] ?? name, query.get(name) ?? ''] as const)
  const fits = ([name, value]: (typeof given)[number]) =>
    value !== '' && startSso.body.safeParse({ [name]: value }).success
  return Object.fromEntries(given.filter(fits))
}

/** Begins a sign-on. */
export const startSignOn = (body: Input): Promise<SsoBegun> => client.call(startSso, { body })

/** Begins to link an identity to the account. */
export const startLink = (provider: string): Promise<SsoBegun> =>
  client.call(linkIdentity, { body: { provider } })

/** Goes to a provider's page; our own server names it, and still only a web page is opened. */
export function goToProvider({ login_url: address }: SsoBegun): void {
  const url = URL.parse(address)
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw new TypeError('the address of the provider is no web page')
  }
  window.location.assign(url.href)
}
