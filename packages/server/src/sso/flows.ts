import { createHash, randomBytes } from 'node:crypto'
import type { SsoBegun } from '@homeport/contract'
import { createRandomId } from '@homeport/runtime'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { attemptSingleUse, keepSingleUse, type SingleUse, takeSingleUse } from '../db/single-use.ts'
import { AppError } from '../http/app-error.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import { openSealedText, sealText } from '../sealed-text.ts'
import type { SsoAdapter } from './adapter.ts'

/** A sign-on lives this long in ms: the time to find a phone, or to sign in at the other service first. */
export const flowMs = 10 * 60 * 1000

/** How often the page that asks for the second factor may be loaded in that time. */
const provedLooks = 50

/** Purposes of what is kept: until the provider's answer comes, and from then until the second factor is shown. */
const begun = 'sign-on'
const proved = 'proved sign-on'

/** Where the person goes once signed in, as the login page was asked for it. */
export interface Onward {
  url: string | null
  n?: string | undefined
  invalid_domain?: string | undefined
  pairing?: string | undefined
  request?: string | undefined
  confirm_email?: string | undefined
}

/** What a sign-on is for. */
export type Purpose =
  | {
      kind: 'sign-in'
      onward: Onward
      /** For an account that this makes. */
      invite?: string | undefined
      acceptedTerms: boolean
    }
  | { kind: 'link'; userId: number }
  /** To make the session that began it a recent one. */
  | { kind: 'reauthenticate'; userId: number }

/** The browser that begins or finishes. */
export interface SsoPlace {
  /** What only this browser holds: no other finishes what it began. */
  browserKey: string
  request: RequestFacts
}

/** The browser of a request. Its CSRF value is an HMAC of the cookie that it alone holds, before and after it signed in. */
export const placeOf = (input: {
  request: RequestFacts
  browser: { readonly csrfValue: string }
}): SsoPlace => ({ browserKey: input.browser.csrfValue, request: input.request })

/** What came back from a provider. */
export interface ReturnedAnswer {
  code: string
  state: string
  iss?: string | undefined
}

/** A sign-on that is this browser's, to be finished; kept sealed. */
export interface ClaimedFlow {
  provider: string
  purpose: Purpose
  codeVerifier: string
  nonce: string
  redirectUri: string
  begunAt: number
}

/** Sign-ons that are under way. */
export interface SsoFlows {
  /** Throws `sso_unavailable`. */
  begin(adapter: SsoAdapter, place: SsoPlace, purpose: Purpose): Promise<SsoBegun>
  /**
   * Uses the sign-on up for this code; throws `sso_flow_unknown` for all but one of those that race, and
   * `second_factor_required` where this very code was found right before.
   */
  claim(answer: ReturnedAnswer, place: SsoPlace): Promise<ClaimedFlow>
  /** Keeps the account that the provider's answer led to, until the second factor is shown. */
  prove(answer: ReturnedAnswer, place: SsoPlace, kept: KeptProof): Promise<void>
  /** What a sign-on is for that waits for its second factor; throws `sso_flow_unknown`. */
  findProved(answer: ReturnedAnswer, place: SsoPlace): Promise<Purpose>
  /** Forgets it: the second factor was shown. */
  endProved(answer: ReturnedAnswer, place: SsoPlace): Promise<void>
}

/** What a sign-on that waits for its second factor is for, and whose. */
interface KeptProof {
  userId: UserId
  purpose: Purpose
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')

/** Makes the service. */
export function createSsoFlows({
  db,
  clock,
  keys,
}: Pick<ServerContext, 'db' | 'clock' | 'keys'>): SsoFlows {
  const sealing = { id: keys.id, bytes: keys.ssoEncryption }
  const seal = (value: object, { key }: SingleUse) =>
    sealText(sealing, Buffer.from(JSON.stringify(value)), hashOf(key))
  const open = <T>(sealed: string, { key }: SingleUse): T =>
    JSON.parse(openSealedText(sealing, sealed, hashOf(key)).toString('utf8'))

  async function lookAtProved(answer: ReturnedAnswer, place: SsoPlace) {
    const use = provedUse(answer, place)
    const kept = await attemptSingleUse(db, { ...use, now: clock.now() })
    return kept === undefined ? undefined : open<Purpose>(kept.value, use)
  }

  return {
    async begin(adapter, place, purpose) {
      const { browserKey, request } = place
      const now = clock.now()
      // Hexadecimal: WeChat promises to bring back letters and digits alone.
      const state = randomBytes(24).toString('hex')
      const flow: ClaimedFlow = {
        provider: adapter.name,
        purpose,
        codeVerifier: randomBytes(32).toString('base64url'),
        nonce: createRandomId(),
        redirectUri: `${request.ownOrigin}/custom/sso/callback`,
        begunAt: now,
      }
      const id = createRandomId()
      const expiresAt = now + flowMs
      const answerBy = Math.min(expiresAt, now + (adapter.answerMs ?? flowMs))
      const loginUrl = await adapter.loginUrl({
        flowId: id,
        state,
        nonce: flow.nonce,
        codeChallenge: hashOf(flow.codeVerifier),
        redirectUri: flow.redirectUri,
        expiresAt: answerBy,
        isStepUp: purpose.kind === 'reauthenticate',
        browserKey,
        request,
      })
      const use = begunUse(state, place)
      await keepSingleUse(db, { ...use, value: seal(flow, use), expiresAt })
      return { id, state, login_url: loginUrl, expires_at: new Date(answerBy).toISOString() }
    },

    async claim(answer, place) {
      const use = begunUse(answer.state, place)
      const kept = await takeSingleUse(db, { ...use, now: clock.now() })
      if (kept !== undefined) return open<ClaimedFlow>(kept.value, use)
      const isProved = (await lookAtProved(answer, place)) !== undefined
      throw new AppError(isProved ? 'second_factor_required' : 'sso_flow_unknown')
    },

    async prove(answer, place, { userId, purpose }) {
      const use = provedUse(answer, place)
      await keepSingleUse(db, {
        ...use,
        userId,
        value: seal(purpose, use),
        tries: provedLooks,
        expiresAt: clock.now() + flowMs,
      })
    },

    async findProved(answer, place) {
      const purpose = await lookAtProved(answer, place)
      if (purpose === undefined) throw new AppError('sso_flow_unknown')
      return purpose
    },

    async endProved(answer, place) {
      await takeSingleUse(db, { ...provedUse(answer, place), now: clock.now() })
    },
  }
}

const begunUse = (state: string, { browserKey }: SsoPlace): SingleUse => ({
  purpose: begun,
  key: state,
  binding: hashOf(browserKey),
})

// The provider's code is part of the name: only the answer that was found right is asked for its second factor again.
const provedUse = ({ state, code }: ReturnedAnswer, { browserKey }: SsoPlace): SingleUse => ({
  purpose: proved,
  key: `${state}\n${code}`,
  binding: hashOf(browserKey),
})
