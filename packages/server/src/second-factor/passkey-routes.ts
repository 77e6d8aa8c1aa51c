import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  deletePasskey,
  listPasskeys,
  renamePasskey,
  signInWithPasskey,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
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
    secondFactor: SecondFactor
    door: SignInDoor
  },
): void {
  const { passkeys, secondFactor, door, clock } = context
  const challenges = createRateLimiter({
    burst: challengeBurst,
    perSecond: challengesPerSecond,
    keyLimit,
    clock,
  })

  mountCall(app, listPasskeys, ({ actor }) => passkeys.list(actor))

  mountCall(app, beginPasskey, async ({ actor, body, ...input }) => {
    await secondFactor.require(actor.userId, body.second_factor, input.request.address)
    return passkeys.begin(actor, placeOf(input))
  })

  mountCall(app, addPasskey, ({ actor, body, ...input }) =>
    passkeys.add(actor, placeOf(input), body),
  )

  mountCall(app, renamePasskey, ({ actor, params, body }) =>
    passkeys.rename(actor, params.id, body.name),
  )

  mountCall(app, deletePasskey, ({ actor, params }) => passkeys.remove(actor, params.id))

  mountOpenCall(app, beginPasskeySignIn, async input => {
    const answer = challenges.take(limitKeyOf(input.request.address))
    if (!answer.isAllowed) {
      const retryAfterSeconds = Math.ceil(answer.retryAfterMs / 1000)
      throw new AppError('rate_limited', { retryAfterSeconds })
    }
    return passkeys.beginSignIn(placeOf(input))
  })

  mountOpenCall(app, signInWithPasskey, async ({ body, ...input }) => {
    const userId = await passkeys.signIn(placeOf(input), body.response)
    return door.enter({ userId, factors: 'both' }, input)
  })
}

// The CSRF value is an HMAC of the cookie that this browser alone holds, before and after it signed in.
const placeOf = (input: {
  request: RequestFacts
  browser: { csrfValue: string }
}): CeremonyPlace => ({
  ownOrigin: input.request.ownOrigin,
  browserKey: input.browser.csrfValue,
})
