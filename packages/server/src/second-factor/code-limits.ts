import { createRateLimiter } from '@homeport/runtime'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { payFromAll } from '../http/purses.ts'
import { limitKeyOf } from '../http/request-facts.ts'

/** Wrong codes for one account, and from one address, before both are slowed down. */
const failureBurst = 5

/** After that one try a minute for an account: of a million codes three count at once, so a day of 1,440 guesses finds one with 0.43 %. */
const accountTriesPerSecond = 1 / 60

/** After that one try each 10 s from an address. */
const addressTriesPerSecond = 1 / 10

/** Accounts and addresses remembered at once. */
const keyLimit = 20_000

/** Limits of guessing codes. */
export interface CodeLimits {
  /** Pays for a try, makes it, and gives it back where it was right; throws `rate_limited`. */
  run(userId: UserId, address: string, isRight: () => Promise<boolean>): Promise<boolean>
}

/** Makes the limits of one server. */
export function createCodeLimits({ clock }: Pick<ServerContext, 'clock'>): CodeLimits {
  const shared = { burst: failureBurst, keyLimit, clock }
  const byAccount = createRateLimiter({ ...shared, perSecond: accountTriesPerSecond })
  const byAddress = createRateLimiter({ ...shared, perSecond: addressTriesPerSecond })
  return {
    async run(userId, address, isRight) {
      // Paid before it is made, so that many at once cannot slip through.
      const giveBack = payFromAll([
        [byAddress, limitKeyOf(address)],
        [byAccount, String(userId)],
      ])
      let result: boolean
      try {
        result = await isRight()
      } catch (error) {
        giveBack()
        throw error
      }
      // Tries before stay paid: whoever reads one right code along the way gains no further guesses by it.
      if (result) giveBack()
      return result
    },
  }
}
