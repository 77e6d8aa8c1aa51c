import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  deletePasskey,
  listPasskeys,
  reauthenticateWithPasskey,
  renamePasskey,
  signInWithPasskey,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { Sessions } from '../accounts/sessions.ts'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
import type { SignInDoor } from '../sign-in/door.ts'
import type { CeremonyPlace, Passkeys } from './passkeys.ts'
import type { SecondFactor } from './service.ts'

/** Challenges to sign in that one address may ask for in a burst. */
const challengeBurst = 30

/** After that one each 2 s. */
const challengesPerSecond = 1 / 2

/** Addresses remembered at once. */
const keyLimit = 20_000

/** Mounts the calls of passkeys: the own ones, and signing in with one. */
export function registerPasskeyRoutes(
  app: FastifyInstance,
  context: Pick<ServerContext, 'clock'> & {
    passkeys: Passkeys
    sessions: Pick<Sessions, 'confirm'>
    secondFactor: SecondFactor
    door: SignInDoor
  },
): void {
  const { passkeys, sessions, secondFactor, door, clock } = context
  const challenges = createRateLimiter({
    burst: challengeBurst,
    perSecond: challengesPerSecond,
    keyLimit,
    clock,
  })

  mountCall(app, listPasskeys, ({ actor }) => passkeys.list(actor))

  mountCall(app, beginPasskey, async ({ actor, body, ...input }) => {
    const place = placeOf(input)
    // First what refuses without using a code up.
    await passkeys.requireRoom(actor, place)
    await secondFactor.require(actor.userId, body.second_factor, place.address)
    return passkeys.begin(actor, place)
  })

  mountCall(app, addPasskey, ({ actor, body, ...input }) =>
    passkeys.add(actor, placeOf(input), body),
  )

  mountCall(app, renamePasskey, ({ actor, params, body }) =>
    passkeys.rename(actor, params.id, body.name),
  )

  mountCall(app, deletePasskey, ({ actor, params, request }) =>
    passkeys.remove(actor, params.id, request),
  )

  mountOpenCall(app, beginPasskeySignIn, async input => {
    const answer = challenges.take(limitKeyOf(input.request.address))
    if (!answer.isAllowed) {
      const retryAfterSeconds = Math.ceil(answer.retryAfterMs / 1000)
      throw new AppError('rate_limited', { retryAfterSeconds })
    }
    return passkeys.beginSignIn(placeOf(input))
  })

  mountCall(app, reauthenticateWithPasskey, async ({ body, actor, ...input }) => {
    // A passkey of another account was shown rightly, but it is not this one's owner who holds it.
    const { userId } = await passkeys.signIn(placeOf(input), body.response)
    if (userId !== actor.userId) {
      throw new AppError('passkey_refused')
    }
    await sessions.confirm(actor)
    return { id: actor.userId }
  })

  mountOpenCall(app, signInWithPasskey, async ({ body, ...input }) => {
    const known = await passkeys.signIn(placeOf(input), body.response)
    return door.enter({ ...known, factors: 'both' }, input)
  })
}

// The CSRF value is an HMAC of the cookie that this browser alone holds, before and after it signed in.
const placeOf = (input: {
  request: RequestFacts
  browser: { csrfValue: string }
}): CeremonyPlace => ({
  ownOrigin: input.request.ownOrigin,
  address: input.request.address,
  userAgent: input.request.userAgent,
  browserKey: input.browser.csrfValue,
})
