import { getLoginStatus, login, reauthenticate, setUp, signUp } from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { FastifyInstance } from 'fastify'
import type { Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
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
    sessions: Sessions
    check: PasswordCheck
    signUps: SignUps
  },
): void {
  const { sessions, check, signUps, clock } = context
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

  /** What a right password or a new account leads to: a session that nobody knew before. */
  const begin = async (
    userId: UserId,
    { actor, request, browser }: SignInInput,
  ): Promise<{ id: number }> => {
    browser.startSession(await sessions.start(userId, request, actor))
    return { id: userId }
  }

  mountOpenCall(app, login, async ({ body, ...input }) => {
    const userId = await check.signIn(body.account, body.password, input.request.address)
    return begin(userId, input)
  })

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
    return begin(await signUps.setUp(body), input)
  })

  mountOpenCall(app, signUp, async ({ body, ...input }) => {
    limitNewAccounts(input.request)
    return begin(await signUps.signUp(body), input)
  })
}

interface SignInInput {
  actor: Actor | null
  request: RequestFacts
  browser: { startSession(token: string): void }
}
