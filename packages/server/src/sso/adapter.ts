import type { RequestFacts } from '../http/request-facts.ts'

/** Name of the adapter of our own provider, the one at `/sso/`. */
export const ownProvider = 'homeport'

/** One sign-on as it begins. Every value is made by the server; the person's browser sees what `loginUrl` puts into the address. */
export interface SsoBegin {
  /** 128 random bits, base64url: the long poll's category is `weixin-oauth-<flowId>`. */
  flowId: string
  /** Names the sign-on towards the provider and comes back with its answer. */
  state: string
  nonce: string
  /** PKCE, S256 (RFC 7636). */
  codeChallenge: string
  redirectUri: string
  /** Epoch ms; the answer has to be here by then. */
  expiresAt: number
  /** The person has to prove anew who they are, whatever session the provider holds; an adapter that always asks has nothing to do. */
  isStepUp: boolean
  /** Names the browser that began; only that one may finish, or hear how it goes. Never part of an address. */
  browserKey: string
  /** Address, browser and language of the one who asks, for a page that shows what is about to be confirmed. */
  request: RequestFacts
}

/** A provider's answer to a sign-on that this server began and this browser finishes. */
export interface SsoAnswer {
  code: string
  state: string
  codeVerifier: string
  nonce: string
  redirectUri: string
  /** Epoch ms at which the sign-on began. */
  begunAt: number
  /** Every parameter the provider came back with, for checks of its own (`iss`, RFC 9207). */
  parameters: Readonly<Record<string, string>>
}

/** Who the provider says it was. */
export interface SsoIdentity {
  /** Stable and unique at the provider; never an e-mail address, which may change hands. */
  subject: string
  displayName?: string
  email?: string
  /** Epoch ms at which the person last proved to the provider who they are; null where it does not tell. */
  authenticatedAt: number | null
  /** Where the subject is an account here: its epoch, from before the provider looked at the session that confirmed. */
  epoch?: number
}

/** One provider of sign-ons. */
export interface SsoAdapter {
  /** Stable: it names the provider in the database and in addresses. */
  readonly name: string
  /** As shown where the console has no text of its own for the name. */
  readonly label: string
  /** `scan`: another device opens the address and the long poll tells; `redirect`: this browser goes there and comes back. */
  readonly way: 'scan' | 'redirect'
  /** `user`: a subject is the id of an account here; `outside`: it is linked to one. */
  readonly subjects: 'user' | 'outside'
  /** A person has this many ms for the other device, where that is less than a sign-on lives. */
  readonly answerMs?: number
  /** Where the person goes; throws AppError `sso_unavailable`. */
  loginUrl(begin: SsoBegin): Promise<string>
  /** Trades the code in, once. Throws AppError `sso_refused` (unknown, used, expired, not for this sign-on), `sso_unavailable`. */
  redeem(answer: SsoAnswer): Promise<SsoIdentity>
}
