import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { addPasskey, CallInput, Passkey, signInWithPasskey } from '@homeport/contract'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import { parseUserId, type UserId } from '../accounts/user-id.ts'
import { requireWayIn } from '../accounts/ways-in.ts'
import type { ServerContext } from '../context.ts'
import { keepSingleUse, type SingleUse, takeSingleUse } from '../db/single-use.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { isSameSecret } from '../http/csrf.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import {
  deleteOwnPasskey,
  findPasskey,
  insertPasskey,
  listOwnPasskeys,
  notePasskeyUse,
  type StoredPasskey,
  updatePasskeyName,
} from './passkey-store.ts'

/** A challenge lives this long in ms: the time to find a finger, or a key in a drawer. */
export const challengeMs = 5 * 60 * 1000

/** Passkeys of one account. */
export const passkeyLimit = 20

/** Algorithms of passkeys, as COSE names them: Ed25519, ES256, RS256. */
const algorithms = [-8, -7, -257]

/** The service as authenticators name it. */
const serviceName = '归港'

/** Where an answer comes from. */
export interface CeremonyPlace extends RequestPlace {
  /** Origin under which the browser reached the console. */
  ownOrigin: string
  /** What only this browser holds: its challenge is answered by no other. */
  browserKey: string
}

type Options = { options: { challenge: string; [name: string]: unknown } }

/** Passkeys of all users. */
export interface Passkeys {
  list(actor: Actor): Promise<Passkey[]>
  /** Passes where another can be added; throws `passkeys_unavailable`, `passkey_limit`. */
  requireRoom(actor: Actor, place: CeremonyPlace): Promise<void>
  /** Throws `passkeys_unavailable`, `passkey_limit`. */
  begin(actor: Actor, place: CeremonyPlace): Promise<Options>
  /** Throws `passkey_refused`, `passkeys_unavailable`, `passkey_limit`. */
  add(
    actor: Actor,
    place: CeremonyPlace,
    input: CallInput<typeof addPasskey>['body'],
  ): Promise<Passkey>
  /** Throws `not_found`. */
  rename(actor: Actor, id: number, name: string): Promise<Passkey>
  /** Throws `not_found`, `last_way_in`. */
  remove(actor: Actor, id: number, place: RequestPlace): Promise<void>
  /** Throws `passkeys_unavailable`. */
  beginSignIn(place: CeremonyPlace): Promise<Options>
  /** The account whose passkey answered, with its user verified, and its epoch; throws `passkey_refused`, `passkeys_unavailable`. */
  signIn(
    place: CeremonyPlace,
    response: CallInput<typeof signInWithPasskey>['body']['response'],
  ): Promise<{ userId: UserId; epoch: number }>
}

/** Makes the service. */
export function createPasskeys(
  { db, clock, keys, config, bus }: Pick<ServerContext, 'db' | 'clock' | 'keys' | 'config' | 'bus'>,
  {
    accounts,
    sessions,
  }: { accounts: Pick<Accounts, 'usernameOf'>; sessions: Pick<Sessions, 'epochOf'> },
): Passkeys {
  const { origin, hostname: rpID } = new URL(config.consoleUrl)
  const hmac = (text: string) => createHmac('sha256', keys.passkey).update(text)
  // Tells the authenticator which account a passkey is of, and nobody else anything (WebAuthn section 14.6.1).
  const handleOf = (userId: UserId) => hmac(`account\n${userId}`).digest()
  const bindingOf = (purpose: string, place: CeremonyPlace) =>
    hmac(`${purpose}\n${place.browserKey}`).digest('base64url')
  const additionOf = ({ userId }: Actor) => `add ${userId}`
  const signInPurpose = 'sign in'

  // A passkey belongs to a domain name; under an address of numbers, or another name, no browser would offer it.
  function requireHome(place: CeremonyPlace): void {
    const isNumbers = isIP(rpID.replace(/^\[|\]$/g, '')) !== 0
    if (isNumbers || place.ownOrigin !== origin) throw new AppError('passkeys_unavailable')
  }

  const keep = (challenge: string, binding: string) =>
    keepSingleUse(db, {
      ...challengeOf(challenge, binding),
      expiresAt: clock.now() + challengeMs,
    })

  /** The challenge that an answer names, used up; right or wrong, no second answer to it counts. */
  async function takeAnswered(clientDataJson: string, binding: string): Promise<string> {
    const challenge = readChallenge(clientDataJson)
    if (challenge === null) throw new AppError('passkey_refused')
    const use = { ...challengeOf(challenge, binding), now: clock.now() }
    if ((await takeSingleUse(db, use)) === undefined) throw new AppError('passkey_refused')
    return challenge
  }

  async function requireRoom({ userId }: Actor, place: CeremonyPlace): Promise<StoredPasskey[]> {
    requireHome(place)
    const own = await listOwnPasskeys(db, userId)
    if (own.length >= passkeyLimit) throw new AppError('passkey_limit')
    return own
  }

  return {
    async list(actor) {
      return (await listOwnPasskeys(db, actor.userId)).map(present)
    },

    async requireRoom(actor, place) {
      await requireRoom(actor, place)
    },

    async begin(actor, place) {
      const own = await requireRoom(actor, place)
      const name = await accounts.usernameOf(actor.userId)
      const options = await generateRegistrationOptions({
        rpName: serviceName,
        rpID,
        userName: name,
        userDisplayName: name,
        userID: new Uint8Array(handleOf(actor.userId)),
        attestationType: 'none',
        supportedAlgorithmIDs: algorithms,
        timeout: challengeMs,
        excludeCredentials: own.map(readCredential),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      await keep(options.challenge, bindingOf(additionOf(actor), place))
      return { options: { ...options } }
    },

    async add(actor, place, { name, response }) {
      await requireRoom(actor, place)
      const binding = bindingOf(additionOf(actor), place)
      const expectedChallenge = await takeAnswered(response.response.clientDataJSON, binding)
      const { registrationInfo } = await refuseOnFault(() =>
        verifyRegistrationResponse({
          response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          requireUserVerification: true,
          supportedAlgorithmIDs: algorithms,
        }),
      )
      if (registrationInfo === undefined) throw new AppError('passkey_refused')
      const { credential, credentialBackedUp } = registrationInfo
      const added = await insertPasskey(db, {
        user_id: actor.userId,
        credential_id: credential.id,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: JSON.stringify(credential.transports ?? []),
        is_synced: credentialBackedUp ? 1 : 0,
        name,
        created_at: clock.now(),
        last_used_at: null,
      })
      if (added === undefined) throw new AppError('passkey_refused')
      bus.emitSecurityChange({ userId: actor.userId, kind: 'passkey_added', place })
      return present(added)
    },

    async rename(actor, id, name) {
      const renamed = await updatePasskeyName(db, actor.userId, { id, name })
      if (renamed === undefined) throw new AppError('not_found')
      return present(renamed)
    },

    async remove(actor, id, place) {
      const { userId } = actor
      await db.transaction().execute(async transaction => {
        if (!(await deleteOwnPasskey(transaction, userId, id))) throw new AppError('not_found')
        await requireWayIn(transaction, config, userId)
      })
      bus.emitSecurityChange({ userId, kind: 'passkey_removed', place })
    },

    async beginSignIn(place) {
      requireHome(place)
      // No list of passkeys: the answer is the same for everybody, and the authenticator names the account.
      const options = await generateAuthenticationOptions({
        rpID,
        userVerification: 'required',
        timeout: challengeMs,
      })
      await keep(options.challenge, bindingOf(signInPurpose, place))
      return { options: { ...options } }
    },

    async signIn(place, response) {
      requireHome(place)
      const binding = bindingOf(signInPurpose, place)
      const expectedChallenge = await takeAnswered(response.response.clientDataJSON, binding)
      const stored = await findPasskey(db, response.id)
      if (stored === undefined) throw new AppError('passkey_refused')
      const userId = parseUserId(stored.user_id)
      const handle = handleOf(userId).toString('base64url')
      if (!isSameSecret(response.response.userHandle, handle)) {
        throw new AppError('passkey_refused')
      }
      const { verified, authenticationInfo } = await refuseOnFault(() =>
        verifyAuthenticationResponse({
          response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
          expectedChallenge,
          expectedOrigin: origin,
          expectedRPID: rpID,
          credential: {
            ...readCredential(stored),
            publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
            counter: stored.counter,
          },
          requireUserVerification: true,
        }),
      )
      const epoch = await sessions.epochOf(userId)
      const use = { counter: authenticationInfo.newCounter, now: clock.now() }
      // Written under the condition once more: of two answers with one counter, a copy of the key gave one.
      if (!verified || !(await notePasskeyUse(db, stored.id, use))) {
        throw new AppError('passkey_refused')
      }
      return { userId, epoch }
    },
  }
}

const challengeOf = (challenge: string, binding: string): SingleUse => ({
  purpose: 'passkey challenge',
  key: challenge,
  binding,
})

/** The challenge in a browser's answer; null where there is none to read. */
function readChallenge(clientDataJson: string): string | null {
  let data: unknown
  try {
    data = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'))
  } catch {
    return null // Not JSON: an answer to nothing.
  }
  if (typeof data !== 'object' || data === null || !('challenge' in data)) return null
  return typeof data.challenge === 'string' ? data.challenge : null
}

/** What the library throws says how the answer was wrong: that stands in the cause alone. */
async function refuseOnFault<T>(verify: () => Promise<T>): Promise<T> {
  try {
    return await verify()
  } catch (cause) {
    throw new AppError('passkey_refused', { cause })
  }
}

const readCredential = (stored: StoredPasskey): { id: string; transports: string[] } => ({
  id: stored.credential_id,
  transports: JSON.parse(stored.transports),
})

const present = (stored: StoredPasskey): Passkey => ({
  id: stored.id,
  name: stored.name,
  is_synced: stored.is_synced === 1,
  created_at: new Date(stored.created_at).toISOString(),
  last_used_at: stored.last_used_at === null ? null : new Date(stored.last_used_at).toISOString(),
})
