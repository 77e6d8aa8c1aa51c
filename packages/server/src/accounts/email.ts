import { createHash, randomBytes } from 'node:crypto'
import { createRateLimiter } from '@homeport/runtime'
import type { ServerContext } from '../context.ts'
import { dropSingleUses } from '../db/single-use.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import type { SecurityChange } from '../events/bus.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { Language } from '../http/language.ts'
import { payFromAll } from '../http/purses.ts'
import type { RequestFacts, RequestPlace } from '../http/request-facts.ts'
import { writeAddressInUse, writeConfirmation } from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'
import {
  deleteEmailChange,
  findEmailChange,
  replaceEmailChange,
  takeEmailChange,
} from './email-store.ts'
import { emailKeyOf } from './policy.ts'
import { resetLink } from './sessions.ts'
import type { UserId } from './user-id.ts'
import { findUser, getUser, releaseEmail, updateUser } from './user-store.ts'

/** A link to confirm an address lives this long in ms. */
export const confirmationMs = 24 * 60 * 60 * 1000

/** Letters that one account may cause in a burst, and one address may get; both come back slowly. */
const accountBurst = 5
const accountLettersPerSecond = 1 / 600
const addressBurst = 3
const addressLettersPerSecond = 1 / 1200

/** Accounts and addresses remembered at once. */
const keyLimit = 20_000

type EmailRequest = RequestPlace & Pick<RequestFacts, 'language'>

/** E-mail addresses: one counts, signs in and belongs to an account only once a letter to it was answered. */
export interface Emails {
  /**
   * Lets an address wait for its link; the one before stays until then. An empty one removes it at once. The answer is the
   * same whether another account has the address. `rest` is done once nothing refuses any more and before anything is sent;
   * what it throws passes. Throws `recent_sign_in_required`, `mail_off`, `rate_limited`.
   */
  change(
    actor: Actor,
    email: string,
    request: EmailRequest,
    rest: () => Promise<unknown>,
  ): Promise<void>
  /** Sends another link and answers where to; the one before is void. Throws `not_found`, `mail_off`, `rate_limited`. */
  resend(actor: Actor, request: EmailRequest): Promise<{ email: string }>
  /** Forgets the address that waits; throws `not_found`. */
  cancel(actor: Actor): Promise<void>
  /** Takes the token of a link and answers its address; throws `email_link_invalid`, and `email_taken` where another account was first. */
  confirm(actor: Actor, token: string, place: RequestPlace): Promise<{ email: string }>
}

/** Makes the service. */
export function createEmails(
  { db, clock, config, bus }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'bus'>,
  mailer: Pick<Mailer, 'isOn' | 'send'>,
): Emails {
  const limiter = (burst: number, perSecond: number) =>
    createRateLimiter({ burst, perSecond, keyLimit, clock })
  const byAccount = limiter(accountBurst, accountLettersPerSecond)
  const byAddress = limiter(addressBurst, addressLettersPerSecond)

  /** Pays for a letter to an address; answers how to take that back. Throws `rate_limited`. */
  const pay = (userId: UserId, email: string) =>
    payFromAll([
      [byAccount, `user ${userId}`],
      [byAddress, emailKeyOf(email) ?? ''],
    ])

  async function sendLink(actor: Actor, email: string, language: Language): Promise<void> {
    const key = emailKeyOf(email) ?? ''
    const now = clock.now()
    const token = randomBytes(24).toString('base64url')
    const { username } = await getUser(db, actor.userId)
    const holder = await findUser(db, 'email_key', key)
    await replaceEmailChange(db, {
      user_id: actor.userId,
      email,
      token_hash: hashOf(token),
      created_at: now,
      expires_at: now + confirmationMs,
    })
    // Only who reads the mailbox learns that it has an account: in that case nobody gets the token.
    if (holder !== undefined) return mailer.send(writeAddressInUse(email, language))
    // Always the configured address: one that came with the request would let a stranger choose where the link leads.
    const link = `${config.consoleUrl}/#/user/info?confirm_email=${token}`
    mailer.send(writeConfirmation(email, { link, username, language }), link)
  }

  const tell = (userId: UserId) => bus.emit(userId, { type: 'profile' })
  const notice = (
    { userId }: Actor,
    kind: SecurityChange['kind'],
    { to, place }: { to: string; place: RequestPlace },
  ) => bus.emitSecurityChange({ userId, kind, place, to })

  return {
    async change(actor, email, request, rest) {
      const { email: current, email_key: currentKey } = await getUser(db, actor.userId)
      if (emailKeyOf(email) === currentKey) {
        await rest()
        return
      }
      if (clock.now() >= actor.recentUntil) throw new AppError('recent_sign_in_required')
      if (email === '') {
        await rest()
        await db.transaction().execute(async transaction => {
          await deleteEmailChange(transaction, actor.userId)
          await dropSingleUses(transaction, resetLink, actor.userId)
          await releaseEmail(transaction, actor.userId)
        })
        notice(actor, 'email_removed', { to: current, place: request })
        return tell(actor.userId)
      }
      if (!mailer.isOn) throw new AppError('mail_off')
      const giveBack = pay(actor.userId, email)
      try {
        await rest()
      } catch (error) {
        giveBack()
        throw error
      }
      await sendLink(actor, email, request.language)
      notice(actor, 'email_change_begun', { to: current, place: request })
      tell(actor.userId)
    },

    async resend(actor, request) {
      const waiting = await findEmailChange(db, actor.userId)
      if (waiting === undefined) throw new AppError('not_found')
      if (!mailer.isOn) throw new AppError('mail_off')
      pay(actor.userId, waiting.email)
      await sendLink(actor, waiting.email, request.language)
      tell(actor.userId)
      return { email: waiting.email }
    },

    async cancel(actor) {
      if (!(await deleteEmailChange(db, actor.userId))) throw new AppError('not_found')
      tell(actor.userId)
    },

    async confirm(actor, token, place) {
      const { userId } = actor
      const { email: before } = await getUser(db, userId)
      try {
        const confirmed = await db.transaction().execute(async transaction => {
          const use = { tokenHash: hashOf(token), now: clock.now() }
          const taken = await takeEmailChange(transaction, userId, use)
          if (taken === undefined) throw new AppError('email_link_invalid')
          const { email } = taken
          await dropSingleUses(transaction, resetLink, userId)
          await updateUser(transaction, userId, { email, email_key: emailKeyOf(email) })
          return { email }
        })
        notice(actor, 'email_changed', { to: before, place })
        tell(userId)
        return confirmed
      } catch (cause) {
        throw isUniqueViolation(cause) ? new AppError('email_taken', { cause }) : cause
      }
    },
  }
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url')
