import { createRateLimiter } from '@homeport/runtime'
import { userKeyOf } from '../accounts/policy.ts'
import type { Accounts } from '../accounts/service.ts'
import type { UserId } from '../accounts/user-id.ts'
import { hasRoom } from '../captcha/risk.ts'
import type { Captchas } from '../captcha/service.ts'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { payFromAll, takeFromAll } from '../http/purses.ts'
import { limitKeyOf } from '../http/request-facts.ts'

/** Wrong passwords of one address, and for one account, before a captcha stands before the next. */
const failureBurst = 3

/** After that one try without a captcha each 10 minutes for an account: 144 guesses a day. */
const freeAccountTriesPerSecond = 1 / 600

/** After that one try without a captcha each 2 minutes from an address. */
const freeAddressTriesPerSecond = 1 / 120

/** Tries of one address, right or wrong, before the next needs a captcha: whoever goes through a list of passwords that fit makes no failures. */
const hurryBurst = 60

/** After that one each 2 s: an office in which everybody begins to work stays below. */
const unhurriedTriesPerSecond = 1 / 2

/** Wrong passwords of one address, and for one account, before both are slowed down whatever captchas were solved. */
const hardBurst = 20

/** After that one try each 30 s for an account: 2,880 guesses a day. The price is that a stranger can use up its owner's tries. */
const accountTriesPerSecond = 1 / 30

/** After that one try each 10 s from an address. */
const addressTriesPerSecond = 1 / 10

/** Accounts and addresses remembered at once. */
const keyLimit = 20_000

/** One try to sign in. */
export interface SignInTry {
  account: string
  password: string
  address: string
  /** Of a captcha of scene login; used up only where one is needed. */
  captchaTicket?: string | undefined
}

/** The one place where a password is compared: limits first, and the same work whether the account exists or not. */
export interface PasswordCheck {
  /**
   * The account that the password opens, in the epoch of the password; throws `invalid_credentials`, `captcha_required`,
   * `rate_limited`, `busy`.
   */
  signIn(input: SignInTry): Promise<{ userId: UserId; epoch: number }>
  /** Passes where the password is the actor's own; throws `wrong_password`, `rate_limited`, `busy`. */
  confirm(actor: Actor, password: string, address: string): Promise<void>
  /** True where the next sign-in from the address has to bring a ticket, whatever the account. */
  needsCaptcha(address: string): Promise<boolean>
}

/** Makes the check of one server. */
export function createPasswordCheck(
  { passwords, clock, config }: Pick<ServerContext, 'passwords' | 'clock' | 'config'>,
  accounts: Accounts,
  captchas: Pick<Captchas, 'takeTicket' | 'risk' | 'pool'>,
): PasswordCheck {
  const { risk, pool } = captchas
  const burst = config.limits?.failedSignInBurst ?? failureBurst
  const hard = Math.max(hardBurst, burst)
  const limiter = (most: number, perSecond: number) =>
    createRateLimiter({ burst: most, perSecond, keyLimit, clock })
  const freeByAccount = limiter(burst, freeAccountTriesPerSecond)
  const freeByAddress = limiter(burst, freeAddressTriesPerSecond)
  const hurry = limiter(Math.max(hurryBurst, burst), unhurriedTriesPerSecond)
  const byAccount = limiter(hard, accountTriesPerSecond)
  const byAddress = limiter(hard, addressTriesPerSecond)
  const byActor = limiter(burst, accountTriesPerSecond)

  /** Pays for a try; throws where there is nothing left to pay with. */
  async function pay(accountKey: string, input: SignInTry): Promise<() => void> {
    const addressKey = limitKeyOf(input.address)
    const giveHardBack = payFromAll([
      [byAddress, addressKey],
      [byAccount, accountKey],
    ])
    const free = takeFromAll([
      [freeByAddress, addressKey],
      [freeByAccount, accountKey],
    ])
    const giveBack = () => {
      giveHardBack()
      free.giveBack()
    }
    try {
      // Failures, speed, a new address while passwords are wrong everywhere: each asks for a captcha. Speed is not given back.
      const isFree =
        hurry.take(addressKey).isAllowed &&
        free.refused === null &&
        !(await risk.isStranger(input.address))
      if (!isFree) await takeTicket(input)
    } catch (error) {
      giveBack()
      throw error
    }
    return giveBack
  }

  async function takeTicket({ captchaTicket: ticket, address }: SignInTry): Promise<void> {
    if (ticket !== undefined) {
      // Whoever solved a captcha is not to solve another because everybody signs in at once.
      passwords.requireRoom()
      if (await captchas.takeTicket(ticket, 'login', address)) return
    }
    throw new AppError('captcha_required')
  }

  return {
    async signIn(input) {
      // A try is paid for before it is made, so that many at once cannot slip through. What was no wrong password is given
      // back; the address is never forgotten as a whole, or an attacker's own account would wash off what it did to others.
      const accountKey = `typed ${userKeyOf(input.account)[1]}`
      const giveBack = await pay(accountKey, input)
      let known: Awaited<ReturnType<typeof findAccount>>
      try {
        known = await findAccount(input)
      } catch (error) {
        giveBack()
        throw error
      }
      if (known === null) {
        risk.noteFailure()
        pool.warm()
        throw new AppError('invalid_credentials')
      }
      giveBack()
      byAccount.forget(accountKey)
      freeByAccount.forget(accountKey)
      return known
    },

    async confirm(actor, password, address) {
      const actorKey = `user ${actor.userId}`
      const giveBack = payFromAll([
        [byAddress, limitKeyOf(address)],
        [byActor, actorKey],
      ])
      let isRight: boolean
      try {
        isRight = await accounts.isPassword(actor.userId, password)
      } catch (error) {
        giveBack()
        throw error
      }
      if (!isRight) throw new AppError('wrong_password')
      giveBack()
      byActor.forget(actorKey)
    },

    async needsCaptcha(address) {
      const key = limitKeyOf(address)
      const isSuspect = !hasRoom(freeByAddress, key) || !hasRoom(hurry, key)
      return isSuspect || (await risk.isStranger(address))
    },
  }

  async function findAccount({
    account,
    password,
  }: SignInTry): Promise<{ userId: UserId; epoch: number } | null> {
    const found = await accounts.findCredential(account)
    if (!(await passwords.verify(found?.passwordHash ?? null, password))) return null
    // A password that was changed while it was being checked is a wrong one; later than here, its epoch is over at the door.
    const now = await accounts.findCredential(account)
    if (found === null || now?.passwordHash !== found.passwordHash) return null
    return { userId: found.userId, epoch: found.epoch }
  }
}
