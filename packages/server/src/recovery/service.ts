import { createHmac, randomBytes } from 'node:crypto'
import { createRateLimiter } from '@homeport/runtime'
import { emailKeyOf } from '../accounts/policy.ts'
import type { Accounts, Correspondent } from '../accounts/service.ts'
import { resetLink } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { Captchas } from '../captcha/service.ts'
import type { ServerContext } from '../context.ts'
import { countUse, type UseBounds, waitForUse } from '../db/counted-uses.ts'
import {
  attemptSingleUse,
  keepSingleUse,
  type SingleUse,
  takeSingleUseOf,
} from '../db/single-use.ts'
import { AppError } from '../http/app-error.ts'
import { limitKeyOf, type RequestFacts, type RequestPlace } from '../http/request-facts.ts'
import { writeResetLink } from '../mail/letters.ts'
import type { Mailer } from '../mail/mailer.ts'

/** A link lives this long in ms. */
export const resetLinkMs = 30 * 60 * 1000

/** How often the page of one link may be loaded. */
const linkLooks = 50

/** Letters to one e-mail address, and about one account. */
const letterBounds: UseBounds = { pauseMs: 60 * 1000, periodMs: 24 * 60 * 60 * 1000, most: 10 }

/** Letters that one address may ask for in a burst: a household, or an office. */
const addressBurst = 10

/** After that one each 3 minutes. */
const lettersPerSecond = 1 / 180

/** Addresses remembered at once. */
const keyLimit = 20_000

/** A new password for whoever forgot the old one, by a link to the account's e-mail address. */
export interface Recovery {
  /**
   * Sends a link where the address is the proved one of an account, and does as if elsewhere. Throws `mail_off`, `rate_limited`,
   * `captcha_required`.
   */
  ask(
    input: { email: string; captchaTicket: string | undefined },
    request: RequestFacts,
  ): Promise<{ expires_after_seconds: number }>
  /** Whose link it is; it stays good. Throws `reset_link_invalid`. */
  read(token: string): Promise<{ username: string }>
  /** Sets a new password and ends every session; throws `reset_link_invalid`, `invalid_input`, `busy`. */
  reset(token: string, password: string, place: RequestPlace): Promise<{ username: string }>
}

/** Makes the service. */
export function createRecovery(
  { db, clock, config, keys }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'keys'>,
  {
    accounts,
    captchas,
    mailer,
  }: {
    accounts: Pick<Accounts, 'findByEmail' | 'correspondentOf' | 'setPassword'>
    captchas: Pick<Captchas, 'takeTicket'>
    mailer: Pick<Mailer, 'isOn' | 'send' | 'later'>
  },
): Recovery {
  const byAddress = createRateLimiter({
    burst: addressBurst,
    perSecond: lettersPerSecond,
    keyLimit,
    clock,
  })
  const hmac = (text: string) => createHmac('sha256', keys.mail).update(text).digest('base64url')

  /** Pays for a letter to an e-mail address, known or not. */
  async function payLetter(email: string, ticket: string | undefined, address: string) {
    const key = `reset to ${hmac(emailKeyOf(email) ?? '')}`
    // First what refuses without using the ticket up.
    const waitMs = await waitForUse(db, key, letterBounds, clock.now())
    if (waitMs > 0) throw refuse(waitMs)
    const isThere = ticket !== undefined && (await captchas.takeTicket(ticket, 'reset', address))
    if (!isThere) throw new AppError('captcha_required')
    if (!(await countUse(db, key, letterBounds, clock.now()))) throw refuse(letterBounds.pauseMs)
  }

  /** Keeps a link; false where the account has had its letters. One of nobody is kept, too, and opens nothing. */
  const keepLink = (token: string, typed: string, found: Correspondent | null) =>
    db.transaction().execute(async transaction => {
      const now = clock.now()
      const counted = `reset of ${found?.userId ?? hmac(emailKeyOf(typed) ?? '')}`
      if (!(await countUse(transaction, counted, letterBounds, now))) return false
      // Those before stay, or whoever asks once a minute voids each before it is opened. The count above bounds them.
      await keepSingleUse(transaction, {
        ...linkOf(token),
        ...(found === null ? {} : { userId: found.userId }),
        value: found?.credentialVersion ?? '',
        tries: linkLooks,
        expiresAt: now + resetLinkMs,
      })
      return true
    })

  async function sendLink(typed: string, language: RequestFacts['language']): Promise<void> {
    const found = await accounts.findByEmail(typed)
    const token = randomBytes(24).toString('base64url')
    // Written for every address alike: while a commit reaches the disk nobody else is answered, and that can be timed.
    const isKept = await keepLink(token, typed, found)
    if (found === null || !isKept) return
    // Always the configured address: one that came with the request would let a stranger choose where the link leads.
    const link = `${config.consoleUrl}/#/reset?token=${token}`
    const letter = { link, username: found.username, language: found.language ?? language }
    // To the address that was proved, never to what was typed: two spellings may count as one and be two mailboxes.
    mailer.send(writeResetLink(found.email, letter), link)
  }

  /** The account of a link, while neither its password nor its e-mail address is another than when the link was made. */
  async function look(token: string): Promise<{ userId: UserId; username: string }> {
    const kept = await attemptSingleUse(db, { ...linkOf(token), now: clock.now() })
    const owner = kept === undefined ? null : await accounts.correspondentOf(kept.userId ?? 0)
    if (owner === null || owner.credentialVersion !== kept?.value) throw invalidLink()
    return owner
  }

  return {
    async ask({ email, captchaTicket }, { address, language }) {
      if (!mailer.isOn) throw new AppError('mail_off')
      const addressKey = limitKeyOf(address)
      const answer = byAddress.take(addressKey)
      if (!answer.isAllowed) throw refuse(answer.retryAfterMs)
      try {
        await payLetter(email, captchaTicket, address)
      } catch (error) {
        byAddress.take(addressKey, -1)
        throw error
      }
      // Nothing above asks whether there is an account, and what does happens where nobody can see or time it.
      mailer.later(() => sendLink(email, language))
      return { expires_after_seconds: resetLinkMs / 1000 }
    },

    async read(token) {
      const { username } = await look(token)
      return { username }
    },

    async reset(token, password, place) {
      const { userId, username } = await look(token)
      await accounts.setPassword(userId, password, {
        path: 'password',
        keep: null,
        place,
        async claim(transaction) {
          const use = { ...linkOf(token), now: clock.now() }
          const taken = await takeSingleUseOf(transaction, userId, use)
          const owner = await accounts.correspondentOf(userId, transaction)
          if (taken === undefined || taken.value !== owner?.credentialVersion) throw invalidLink()
        },
      })
      return { username }
    },
  }
}

const linkOf = (token: string): SingleUse => ({ purpose: resetLink, key: token, binding: '' })

const invalidLink = () => new AppError('reset_link_invalid')

const refuse = (waitMs: number) =>
  new AppError('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
