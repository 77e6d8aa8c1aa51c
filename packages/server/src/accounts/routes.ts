import {
  changePassword,
  deleteSession,
  getProfile,
  listSessions,
  patchOwnProfile,
  patchProfile,
  resetToken,
} from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountOpenCall } from '../http/mount.ts'
import type { PasswordCheck } from '../sign-in/password-check.ts'
import type { Accounts } from './service.ts'
import type { Sessions } from './sessions.ts'

/** Mounts the calls of the own account. */
export function registerAccountRoutes(
  app: FastifyInstance,
  { accounts, sessions, check }: { accounts: Accounts; sessions: Sessions; check: PasswordCheck },
): void {
  mountOpenCall(app, getProfile, async ({ actor }) =>
    actor === null ? [] : [await accounts.getProfile(actor.userId)],
  )

  mountCall(app, patchProfile, ({ actor, params, body }) => {
    if (params.id !== actor.userId) throw new AppError('not_found')
    return accounts.changeProfile(actor, body)
  })

  mountCall(app, patchOwnProfile, ({ actor, body }) => accounts.changeProfile(actor, body))

  mountCall(app, changePassword, async ({ actor, body, request }) => {
    // Every account has a password so far; one without comes with single sign-on.
    if (body.old_password === undefined) {
      throw new AppError('invalid_input', { errors: [{ path: 'old_password', code: 'required' }] })
    }
    await check.confirm(actor, body.old_password, request.address)
    await accounts.setPassword(actor.userId, body.new_password, {
      path: 'new_password',
      keep: actor.sessionId,
    })
    await sessions.confirm(actor)
    return { id: actor.userId }
  })

  mountCall(app, resetToken, ({ actor }) => accounts.resetToken(actor.userId))

  mountCall(app, listSessions, ({ actor }) => sessions.list(actor))

  mountCall(app, deleteSession, async ({ actor, params, browser }) => {
    await sessions.end(actor, params.id)
    if (params.id === actor.sessionId) browser.endSession()
  })
}
