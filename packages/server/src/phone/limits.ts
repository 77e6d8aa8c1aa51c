import { createRateLimiter } from '@homeport/runtime'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { payFromAll } from '../http/purses.ts'
import { limitKeyOf } from '../http/request-facts.ts'

/** Messages that one address may ask for in a burst: a household, or an office. */
const addressBurst = 20

/** After that one each 3 minutes. */
const messagesPerSecond = 1 / 180

/** Messages that one account may ask for in a burst. */
const accountBurst = 10

/** After that one each 15 minutes. */
const accountMessagesPerSecond = 1 / 900

/** Codes that one address may try in a burst; each code has five tries of its own. */
const tryBurst = 30

/** After that one each 10 s. */
const triesPerSecond = 1 / 10

/** Addresses and accounts remembered at once. */
const keyLimit = 20_000

/** What one address and one account may do, beside what one number may get. */
export interface PhoneLimits {
  /** Pays for a message; gives a way to take the payment back. Throws `rate_limited`. */
  payMessage(address: string, userId: UserId | null): () => void
  /** Pays for a try; gives a way to take the payment back. Throws `rate_limited`. */
  payTry(address: string): () => void
}

/** Makes the limits of one server. */
export function createPhoneLimits({ clock }: Pick<ServerContext, 'clock'>): PhoneLimits {
  const limiter = (burst: number, perSecond: number) =>
    createRateLimiter({ burst, perSecond, keyLimit, clock })
  const byAddress = limiter(addressBurst, messagesPerSecond)
  const byAccount = limiter(accountBurst, accountMessagesPerSecond)
  const tries = limiter(tryBurst, triesPerSecond)

  return {
    payMessage: (address, userId) =>
      payFromAll([
        [byAddress, limitKeyOf(address)],
        ...(userId === null ? [] : [[byAccount, String(userId)] as const]),
      ]),
    payTry: address => payFromAll([[tries, limitKeyOf(address)]]),
  }
}
