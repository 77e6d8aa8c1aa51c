import { CallError, type Client, createGateTicket } from '@homeport/contract'
import { errorportOf, type GuardDecision } from './guard.ts'

/** A decision that needs no more asking: `leave` replaces the browser's page with an address outside the console. */
export type SettledDecision =
  | { kind: 'show' }
  | { kind: 'go'; to: string }
  | { kind: 'leave'; location: string }

/** Host of an address without its port; undefined for what is no address. */
export function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}

/**
 * Host of an address that looks like one of ours; undefined for all others. The server decides where the way really
 * goes: this only keeps the page from naming a place that it never leads to.
 */
export function ownHostOf(url: string, tunnelDomain: string | undefined): string | undefined {
  if (tunnelDomain === undefined || !isWebAddress(url)) return undefined
  const host = hostOf(url)
  return host?.endsWith(`.${tunnelDomain}`) ? host : undefined
}

/** Only web pages: the answer comes from our own server, yet `javascript:` must never reach the address bar. */
const isWebAddress = (url: string) =>
  URL.canParse(url) && ['http:', 'https:'].includes(new URL(url).protocol)

/**
 * Asks for the ticket of an `enter` decision. Refused: the error page with the host. Not a name of this deployment:
 * what the guard says without `url`. Other failures are thrown as CallError for the page to offer a retry.
 */
export async function settleDecision(
  decision: GuardDecision,
  client: Client,
): Promise<SettledDecision> {
  if (decision.kind !== 'enter') return decision
  const { url, nonceHash, otherwise } = decision
  try {
    const n = nonceHash === undefined ? {} : { n: nonceHash }
    const { location } = await client.call(createGateTicket, { body: { url, ...n } })
    return isWebAddress(location) ? { kind: 'leave', location } : settleDecision(otherwise, client)
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    const host = hostOf(url)
    if (error.code === 'gate_denied' && host !== undefined) {
      return { kind: 'go', to: errorportOf(host) }
    }
    // `invalid_input`: longer than any address the API takes, so no name of ours either.
    const isForeign = ['url_unknown', 'gate_denied', 'invalid_input'].includes(error.code)
    if (isForeign) return settleDecision(otherwise, client)
    throw error
  }
}
