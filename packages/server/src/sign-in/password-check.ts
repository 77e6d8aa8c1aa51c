import { createRateLimiter, type RateAnswer } from '@homeport/runtime'
import { usernameKeyOf } from '../accounts/policy.ts'
import type { Accounts } from '../accounts/service.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { limitKeyOf } from '../http/request-facts.ts'

/** Wrong passwords of one address, and for one account, before both are slowed down. */
const failureBurst = 3

/** After that one try each 30 s for an account: 2,880 guesses a day. The price is that a stranger can use up its owner's tries. */
const accountTriesPerSecond = 1 / 30

/** After that one try each 10 s from an address. */
const addressTriesPerSecond = 1 / 10

/** Accounts and addresses remembered at once. */
const keyLimit = 20_000

/** The one place where a password is compared: limits first, and the same work whether the account exists or not. */
export interface PasswordCheck {
  /** The account that the password opens; throws `invalid_credentials`, `rate_limited`, `busy`. */
  signIn(account: string, password: string, address: string): Promise<UserId>
  /** Passes where the password is the actor's own; throws `wrong_password`, `rate_limited`, `busy`. */
  confirm(actor: Actor, password: string, address: string): Promise<void>
}

/** Makes the check of one server. */
export function createPasswordCheck(
  { passwords, clock, config }: Pick<ServerContext, 'passwords' | 'clock' | 'config'>,
  accounts: Accounts,
): PasswordCheck {
  const burst = config.limits?.failedSignInBurst ?? failureBurst
  const byAccount = createRateLimiter({ burst, perSecond: accountTriesPerSecond, keyLimit, clock })
  const byAddress = createRateLimiter({ burst, perSecond: addressTriesPerSecond, keyLimit, clock })

  // A try is paid for before it is made, so that many at once cannot slip through. What was no wrong password is given back;
  // the address is never forgotten as a whole, or an attacker's own account would wash off what it did to others.
  async function limited(accountKey: string, address: string, isRight: () => Promise<boolean>) {
    const addressKey = limitKeyOf(address)
    const giveBackAddress = () => byAddress.take(addressKey, -1)
    refuse(byAddress.take(addressKey))
    const answer = byAccount.take(accountKey)
    if (!answer.isAllowed) giveBackAddress()
    refuse(answer)
    try {
      if (!(await isRight())) return false
    } catch (error) {
      giveBackAddress()
      byAccount.take(accountKey, -1)
      throw error
    }
    giveBackAddress()
    byAccount.forget(accountKey)
    return true
  }

  return {
    async signIn(account, password, address) {
      let userId: UserId | null = null
      const isRight = await limited(`typed ${usernameKeyOf(account)}`, address, async () => {
        const found = await accounts.findCredential(account)
        if (!(await passwords.verify(found?.passwordHash ?? null, password))) return false
        // A password that was changed while it was being checked opens nothing: the change ended all sessions before this one.
        const now = await accounts.findCredential(account)
        if (found === null || now?.passwordHash !== found.passwordHash) return false
        userId = found.userId
        return true
      })
      if (!isRight || userId === null) throw new AppError('invalid_credentials')
      return userId
    },

    async confirm(actor, password, address) {
      const isRight = await limited(`user ${actor.userId}`, address, () =>
        accounts.isPassword(actor.userId, password),
      )
      if (!isRight) throw new AppError('wrong_password')
    },
  }
}

function refuse(answer: RateAnswer): void {
  if (answer.isAllowed) return
  throw new AppError('rate_limited', {
    retryAfterSeconds: Math.ceil(answer.retryAfterMs / 1000),
  })
}
