import {
  cancelEmail,
  confirmEmail,
  exportOwnData,
  getOwnAccount,
  leave,
  resendEmail,
} from '@homeport/contract'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../http/app-error.ts'
import { mountCall, mountDownload } from '../http/mount.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { SecondFactor } from '../second-factor/service.ts'
import type { Emails } from './email.ts'
import type { Leaving } from './leaving.ts'
import type { OwnDataExports } from './own-data.ts'
import { usernameKeyOf } from './policy.ts'
import type { Accounts } from './service.ts'

/** Mounts what can be done with the own account as a whole. */
export function registerOwnAccountRoutes(
  app: FastifyInstance,
  {
    accounts,
    secondFactor,
    leaving,
    exports,
    emails,
    mailer,
  }: {
    accounts: Pick<Accounts, 'describe' | 'usernameOf'>
    secondFactor: Pick<SecondFactor, 'require'>
    leaving: Leaving
    exports: OwnDataExports
    emails: Emails
    mailer: Pick<Mailer, 'isOn'>
  },
): void {
  mountCall(app, getOwnAccount, ({ actor }) => accounts.describe(actor.userId, mailer.isOn))

  mountCall(app, confirmEmail, ({ actor, body, request }) =>
    emails.confirm(actor, body.token, request),
  )

  mountCall(app, resendEmail, ({ actor, request }) => emails.resend(actor, request))

  mountCall(app, cancelEmail, ({ actor }) => emails.cancel(actor))

  mountDownload(app, exportOwnData, ({ actor }) => exports.open(actor))

  mountCall(app, leave, async ({ actor, body, request, browser }) => {
    const username = await accounts.usernameOf(actor.userId)
    if (usernameKeyOf(body.username) !== usernameKeyOf(username)) {
      throw new AppError('invalid_input', { errors: [{ path: 'username', code: 'mismatch' }] })
    }
    // What cannot be done at all uses up no code.
    const { is_last_administrator } = await accounts.describe(actor.userId, mailer.isOn)
    if (is_last_administrator) throw new AppError('last_administrator')
    await secondFactor.require(actor.userId, body.second_factor, request.address)
    const deletesAt = await leaving.begin(actor.userId, request)
    browser.endSession()
    return { deletes_at: new Date(deletesAt).toISOString() }
  })
}
