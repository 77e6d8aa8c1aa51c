import type { CallInput, SsoBegun, SsoFinished, startSso } from '@homeport/contract'
import type { Accounts } from '../accounts/service.ts'
import { recentMs, type Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { parseNameUrl } from '../gate/name-url.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { SignInDoor, SignInRequest } from '../sign-in/door.ts'
import type { SignUps } from '../sign-in/service.ts'
import type { SsoAdapter, SsoIdentity } from './adapter.ts'
import {
  type ClaimedFlow,
  type Purpose,
  placeOf,
  type ReturnedAnswer,
  type SsoFlows,
  type SsoPlace,
} from './flows.ts'
import type { Identities } from './identities.ts'
import { suggestUsernames } from './new-account.ts'

/** Epoch ms of a proof of which nobody knows when it was made: it counts as recent for nothing. */
const longAgo = 0

/** Single sign-on: begins at a provider, ends at the door or with an identity that is linked. */
export interface Sso {
  /** Throws `not_found` for a provider that is not configured, `sso_unavailable`. */
  start(place: SsoPlace, input: CallInput<typeof startSso>['body']): Promise<SsoBegun>
  /** Throws as `start`; our own provider knows accounts already and links none. */
  startLink(actor: Actor, place: SsoPlace, provider: string): Promise<SsoBegun>
  /**
   * Has the owner of an account without a password prove at a linked provider who they are. Throws as `start`; `forbidden`
   * where there is a password, `not_found` where nothing is linked.
   */
  startReauthentication(actor: Actor, place: SsoPlace, provider: string): Promise<SsoBegun>
  /** Throws what the contract lists for `GET /custom/check/`; the second factor stays to be asked for then. */
  finish(answer: ReturnedAnswer, input: SignInRequest): Promise<SsoFinished>
  /** The second step of a sign-on that `finish` found right; throws also `sign_in_expired`. */
  confirm(answer: ReturnedAnswer, code: string, input: SignInRequest): Promise<SsoFinished>
}

/** Makes the service. */
export function createSso(
  { db, clock, config, bus }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'bus'>,
  parts: {
    adapters: readonly SsoAdapter[]
    flows: SsoFlows
    identities: Identities
    accounts: Pick<Accounts, 'fingerprintOf' | 'hasPassword'>
    sessions: Pick<Sessions, 'confirm' | 'epochOf'>
    signUps: Pick<SignUps, 'signUpWithoutPassword'>
    door: SignInDoor
  },
): Sso {
  const { adapters, flows, identities, accounts, sessions, signUps, door } = parts

  function requireAdapter(name: string | undefined): SsoAdapter {
    const found = name === undefined ? adapters[0] : adapters.find(each => each.name === name)
    if (found === undefined) throw new AppError('not_found')
    return found
  }

  /** The account behind the provider's answer; where there is none and sign-up allows it, a new one. */
  async function findOrMake(
    adapter: SsoAdapter,
    identity: SsoIdentity,
    purpose: Purpose & { kind: 'sign-in' },
  ): Promise<{ userId: UserId; epoch: number }> {
    if (adapter.subjects === 'user') {
      const known = await accounts.fingerprintOf(Number(identity.subject))
      const { epoch } = identity
      if (known === null || epoch === undefined) throw new AppError('sso_refused')
      return { userId: known.userId, epoch }
    }
    // Never by e-mail address: whoever can make a provider say one would own the account.
    const userId =
      (await identities.find(adapter.name, identity)) ??
      (await signUps.signUpWithoutPassword({
        usernames: suggestUsernames(identity.displayName),
        invite: purpose.invite,
        acceptedTerms: purpose.acceptedTerms,
        link: (transaction, made) => identities.link(transaction, made, adapter.name, identity),
      }))
    await identities.noteUse(adapter.name, identity)
    return { userId, epoch: await sessions.epochOf(userId) }
  }

  async function link(
    adapter: SsoAdapter,
    userId: number,
    identity: SsoIdentity,
    { actor, request: place }: SignInRequest,
  ): Promise<void> {
    const owner = requireOwner(actor, userId)
    const isNew = await db
      .transaction()
      .execute(transaction => identities.link(transaction, owner.userId, adapter.name, identity))
    if (!isNew) return
    bus.emitSecurityChange({ userId: owner.userId, kind: 'identity_linked', place })
  }

  /** The session is as recent as the proof at the provider, which has to be of the identity that is linked. */
  async function reauthenticate(
    adapter: SsoAdapter,
    userId: number,
    identity: SsoIdentity,
    actor: Actor | null,
  ): Promise<void> {
    const owner = requireOwner(actor, userId)
    if ((await identities.find(adapter.name, identity)) !== owner.userId) {
      throw new AppError('sso_refused')
    }
    const provedAt = identity.authenticatedAt ?? longAgo
    if (clock.now() >= provedAt + recentMs) throw new AppError('recent_sign_in_required')
    await sessions.confirm(owner, provedAt)
  }

  const redeem = (adapter: SsoAdapter, flow: ClaimedFlow, answer: ReturnedAnswer) =>
    adapter.redeem({
      code: answer.code,
      state: answer.state,
      codeVerifier: flow.codeVerifier,
      nonce: flow.nonce,
      redirectUri: flow.redirectUri,
      begunAt: flow.begunAt,
      parameters: {
        code: answer.code,
        state: answer.state,
        ...(answer.iss === undefined ? {} : { iss: answer.iss }),
      },
    })

  return {
    async start(place, { provider, invite, accepted_terms_of_service: terms, ...onward }) {
      const { url = '' } = onward
      return flows.begin(requireAdapter(provider), place, {
        kind: 'sign-in',
        // An address that is none of ours is forgotten here; the gate judges the rest again when the browser goes there.
        onward: { ...onward, url: parseNameUrl(url, config) === null ? null : url },
        invite,
        acceptedTerms: terms ?? false,
      })
    },

    async startLink({ userId }, place, provider) {
      const adapter = requireAdapter(provider)
      if (adapter.subjects === 'user') throw new AppError('not_found')
      return flows.begin(adapter, place, { kind: 'link', userId })
    },

    async startReauthentication(actor, place, provider) {
      const adapter = requireAdapter(provider)
      // As with a text message: what the password guards, nothing less opens.
      if (await accounts.hasPassword(actor.userId)) throw new AppError('forbidden')
      const linked = await identities.list(actor)
      if (!linked.some(identity => identity.provider === adapter.name)) {
        throw new AppError('not_found')
      }
      return flows.begin(adapter, place, { kind: 'reauthenticate', userId: actor.userId })
    },

    async finish(answer, input) {
      const flow = await flows.claim(answer, placeOf(input))
      const adapter = adapters.find(each => each.name === flow.provider)
      // Configured when this began, and no longer.
      if (adapter === undefined) throw new AppError('sso_refused')
      const { purpose } = flow
      const identity = await redeem(adapter, flow, answer)
      if (purpose.kind === 'link') {
        await link(adapter, purpose.userId, identity, input)
        return { id: purpose.userId, linked: adapter.name, url: null }
      }
      if (purpose.kind === 'reauthenticate') {
        await reauthenticate(adapter, purpose.userId, identity, input.actor)
        return { id: purpose.userId, linked: null, reauthenticated: true, url: null }
      }
      const { userId, epoch } = await findOrMake(adapter, identity, purpose)
      try {
        const { id } = await door.enter(
          {
            userId,
            epoch,
            factors: 'one',
            code: undefined,
            way: 'sso',
            authenticatedAt: identity.authenticatedAt ?? longAgo,
          },
          input,
        )
        return { id, linked: null, ...purpose.onward }
      } catch (error) {
        // A page that is loaded again is asked for the second factor again: the provider's code counts once.
        const isAsked = error instanceof AppError && error.code === 'second_factor_required'
        if (isAsked) await flows.prove(answer, placeOf(input), { userId, purpose })
        throw error
      }
    },

    async confirm(answer, code, input) {
      const purpose = await flows.findProved(answer, placeOf(input))
      const { id } = await door.finish(code, input)
      await flows.endProved(answer, placeOf(input))
      return { id, linked: null, ...(purpose.kind === 'sign-in' ? purpose.onward : { url: null }) }
    },
  }
}

// The flow is bound to the session that began it; another account in it would be a fault of ours.
function requireOwner(actor: Actor | null, userId: number): Actor {
  if (actor?.userId !== userId) throw new AppError('sso_flow_unknown')
  return actor
}
