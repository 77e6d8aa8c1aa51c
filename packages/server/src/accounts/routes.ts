import {
  type CallInput,
  changePassword,
  deleteSession,
  endOtherSessions,
  getProfile,
  listSessions,
  patchOwnProfile,
  patchProfile,
  resetToken,
} from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import type { PasswordCheck } from '../sign-in/password-check.ts'
import type { Emails } from './email.ts'
import type { Accounts } from './service.ts'
import type { Sessions } from './sessions.ts'

/** Mounts the calls of the own account. */
export function registerAccountRoutes(
  app: FastifyInstance,
  {
    accounts,
    sessions,
    check,
    emails,
    clock,
  }: Pick<ServerContext, 'clock'> & {
    accounts: Accounts
    sessions: Sessions
    check: PasswordCheck
    emails: Pick<Emails, 'change'>
  },
): void {
  /** Passes where the old password is right, or where there is none and the sign-in is recent. */
  async function requireOldPassword(actor: Actor, old: string | undefined, address: string) {
    if (old !== undefined) return check.confirm(actor, old, address)
    if (await accounts.hasPassword(actor.userId)) {
      throw new AppError('invalid_input', { errors: [{ path: 'old_password', code: 'required' }] })
    }
    if (clock.now() >= actor.recentUntil) throw new AppError('recent_sign_in_required')
  }

  mountOpenCall(app, getProfile, async ({ actor }) =>
    actor === null ? [] : [await accounts.getProfile(actor.userId)],
  )

  // All of it or nothing: no username is changed where the address is refused, and no letter sent where the name is taken.
  async function changeProfile(
    actor: Actor,
    { email, ...change }: CallInput<typeof patchProfile>['body'],
    request: RequestFacts,
  ) {
    if (email === undefined) return accounts.changeProfile(actor, change)
    await emails.change(actor, email, request, () => accounts.changeProfile(actor, change))
    return accounts.getProfile(actor.userId)
  }

  mountCall(app, patchProfile, ({ actor, params, body, request }) => {
    if (params.id !== actor.userId) throw new AppError('not_found')
    return changeProfile(actor, body, request)
  })

  mountCall(app, patchOwnProfile, ({ actor, body, request }) => changeProfile(actor, body, request))

  mountCall(app, changePassword, async ({ actor, body, request }) => {
    await requireOldPassword(actor, body.old_password, request.address)
    await accounts.setPassword(actor.userId, body.new_password, {
      path: 'new_password',
      keep: actor.sessionId,
      place: request,
    })
    await sessions.confirm(actor)
    return { id: actor.userId }
  })

  mountCall(app, resetToken, ({ actor }) => accounts.resetToken(actor.userId))

  mountCall(app, listSessions, ({ actor, request }) => sessions.list(actor, request.address))

  mountCall(app, endOtherSessions, async ({ actor }) => ({
    ended: await sessions.endAll(actor.userId, actor.sessionId),
  }))

  mountCall(app, deleteSession, async ({ actor, params, browser }) => {
    await sessions.end(actor, params.id)
    if (params.id === actor.sessionId) browser.endSession()
  })
}
