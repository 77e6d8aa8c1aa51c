import {
  finishSignIn,
  getLoginStatus,
  getRestoration,
  login,
  reauthenticate,
  restoreAccount,
  setUp,
  signUp,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
import type { SignInDoor } from './door.ts'
import type { PasswordCheck } from './password-check.ts'
import type { SignUps } from './service.ts'

/** New accounts, or tries at codes, that one address may make in a burst. */
const newAccountBurst = 10

/** After that one each 10 s. */
const newAccountsPerSecond = 1 / 10

/** Addresses remembered at once. */
const keyLimit = 20_000

/** Mounts the calls that begin, confirm and ask for a session. */
export function registerSignInRoutes(
  app: FastifyInstance,
  context: Pick<ServerContext, 'clock'> & {
    accounts: Pick<Accounts, 'usernameOf'>
    sessions: Sessions
    check: PasswordCheck
    signUps: SignUps
    door: SignInDoor
  },
): void {
  const { accounts, sessions, check, signUps, door, clock } = context
  const newAccounts = createRateLimiter({
    burst: newAccountBurst,
    perSecond: newAccountsPerSecond,
    keyLimit,
    clock,
  })
  const limitNewAccounts = ({ address }: RequestFacts) => {
    const answer = newAccounts.take(limitKeyOf(address))
    if (answer.isAllowed) return
    throw new AppError('rate_limited', {
      retryAfterSeconds: Math.ceil(answer.retryAfterMs / 1000),
    })
  }

  mountOpenCall(app, login, async ({ body, ...input }) => {
    const { captcha_ticket: captchaTicket, second_factor: _, ...typed } = body
    const known = await check.signIn({ ...typed, captchaTicket, address: input.request.address })
    return door.enter(
      { ...known, factors: 'one', code: body.second_factor, way: 'password' },
      input,
    )
  })

  mountOpenCall(app, finishSignIn, ({ body, ...input }) => door.finish(body.second_factor, input))

  mountOpenCall(app, getRestoration, async input => {
    const { userId, deletesAt } = await door.readRestoration(input)
    return {
      username: await accounts.usernameOf(userId),
      deletes_at: new Date(deletesAt).toISOString(),
    }
  })

  mountOpenCall(app, restoreAccount, input => door.restore(input))

  mountCall(app, reauthenticate, async ({ body, actor, request }) => {
    await check.confirm(actor, body.password, request.address)
    await sessions.confirm(actor)
    return { id: actor.userId }
  })

  mountOpenCall(app, getLoginStatus, ({ actor }) => ({
    logged_in: actor !== null,
    id: actor?.userId ?? null,
  }))

  mountOpenCall(app, setUp, async ({ body, ...input }) => {
    limitNewAccounts(input.request)
    const userId = await signUps.setUp(body)
    const epoch = await sessions.epochOf(userId)
    return door.enter({ userId, epoch, factors: 'one', code: undefined, way: 'sign_up' }, input)
  })

  mountOpenCall(app, signUp, async ({ body, ...input }) => {
    limitNewAccounts(input.request)
    const userId = await signUps.signUp(body)
    const epoch = await sessions.epochOf(userId)
    return door.enter({ userId, epoch, factors: 'one', code: undefined, way: 'sign_up' }, input)
  })
}
