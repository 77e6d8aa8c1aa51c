import type { SecondFactorState } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { createCodeLimits } from './code-limits.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  describeSecret,
  findStep,
  hashRecoveryCode,
  plainCode,
} from './codes.ts'
import { deleteAllPasskeys } from './passkey-store.ts'
import { createSecretBox } from './secret-box.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  replaceRecoveryCodes,
  replaceWaitingTotp,
  type StoredTotp,
  takeRecoveryCode,
  takeTotpStep,
} from './store.ts'

/** A secret that waits for its first code lives this long in ms. */
export const enrolmentMs = 10 * 60 * 1000

/** Who issues the codes, as authenticator apps show it. */
const issuer = '归港'

/** Two-step codes and recovery codes of all users. */
export interface SecondFactor {
  state(userId: UserId): Promise<SecondFactorState>
  /**
   * Passes where the account has no second factor (false), or where `code` is right (true), and uses the code up. Throws
   * `second_factor_required` where one is needed and none was given, `second_factor_wrong`, `rate_limited`.
   */
  require(userId: UserId, code: string | undefined, address: string): Promise<boolean>
  isOn(userId: UserId): Promise<boolean>
  /** Makes a secret that counts once it is confirmed; throws `second_factor_on`. */
  enrol(actor: Actor): Promise<{ secret: string; otpauth_url: string; expires_at: string }>
  /** Turns it on, ends every other session and gives the recovery codes; throws `enrolment_expired`, `second_factor_wrong`. */
  confirm(actor: Actor, code: string, address: string): Promise<string[]>
  /** Gives new recovery codes; throws `second_factor_off`, `second_factor_wrong`. */
  renewRecoveryCodes(actor: Actor, code: string, address: string): Promise<string[]>
  /** Turns it off; throws `second_factor_off`, `second_factor_wrong`. */
  disable(actor: Actor, code: string, address: string): Promise<SecondFactorState>
  /** For the operator: takes codes, recovery codes and passkeys away and ends every session. */
  reset(userId: UserId): Promise<void>
}

/** Makes the service. */
export function createSecondFactor(
  context: Pick<ServerContext, 'db' | 'clock' | 'keys' | 'config'>,
  { accounts, sessions }: { accounts: Pick<Accounts, 'usernameOf'>; sessions: Sessions },
): SecondFactor {
  const { db, clock, keys } = context
  const box = createSecretBox(keys)
  const limits = createCodeLimits(context)

  async function state(userId: UserId): Promise<SecondFactorState> {
    const stored = await findTotp(db, userId)
    if (!isOn(stored)) return { enabled_at: null, recovery_codes_left: 0 }
    return {
      enabled_at: new Date(stored.confirmed_at).toISOString(),
      recovery_codes_left: await countRecoveryCodes(db, userId),
    }
  }

  /** Uses the code up where it is right: a two-step code of a later step than the last, or an unused recovery code. */
  async function take(userId: UserId, stored: StoredTotp, typed: string): Promise<boolean> {
    const code = plainCode(typed)
    const now = clock.now()
    if (!/^\d{6}$/.test(code)) {
      return takeRecoveryCode(db, userId, { hash: hashOf(userId, code), now })
    }
    const step = findStep(box.open(userId, stored.secret_sealed), code, now)
    if (step === null) return false
    return takeTotpStep(db, userId, { secretSealed: stored.secret_sealed, step })
  }

  const hashOf = (userId: UserId, code: string) => hashRecoveryCode(keys.recoveryCode, userId, code)

  async function check(
    userId: UserId,
    address: string,
    isRight: () => Promise<boolean>,
  ): Promise<void> {
    if (!(await limits.run(userId, address, isRight))) throw new AppError('second_factor_wrong')
  }

  async function requireOn(actor: Actor, code: string, address: string): Promise<void> {
    const stored = await findTotp(db, actor.userId)
    if (!isOn(stored)) throw new AppError('second_factor_off')
    await check(actor.userId, address, () => take(actor.userId, stored, code))
  }

  async function writeRecoveryCodes(transaction: Kysely<Database>, userId: UserId) {
    const codes = createRecoveryCodes()
    await replaceRecoveryCodes(
      transaction,
      userId,
      codes.map(code => hashOf(userId, code)),
    )
    return codes
  }

  return {
    state,

    async require(userId, code, address) {
      const stored = await findTotp(db, userId)
      if (!isOn(stored)) return false
      if (code === undefined) throw new AppError('second_factor_required')
      await check(userId, address, () => take(userId, stored, code))
      return true
    },

    isOn: async userId => isOn(await findTotp(db, userId)),

    async enrol({ userId }) {
      const secret = createTotpSecret()
      const now = clock.now()
      const secretSealed = box.seal(userId, secret)
      if (!(await replaceWaitingTotp(db, userId, { secretSealed, now }))) {
        throw new AppError('second_factor_on')
      }
      const label = await accounts.usernameOf(userId)
      const { secret: text, url } = describeSecret(secret, { label, issuer })
      return {
        secret: text,
        otpauth_url: url,
        expires_at: new Date(now + enrolmentMs).toISOString(),
      }
    },

    async confirm({ userId, sessionId }, typed, address) {
      const stored = await findTotp(db, userId)
      const now = clock.now()
      if (stored === undefined || isOn(stored) || now >= stored.created_at + enrolmentMs) {
        throw new AppError('enrolment_expired')
      }
      const secretSealed = stored.secret_sealed
      let step: number | null = null
      await check(userId, address, async () => {
        step = findStep(box.open(userId, secretSealed), plainCode(typed), now)
        return step !== null
      })
      const codes = await db.transaction().execute(async transaction => {
        const use = { secretSealed, step: step ?? 0, now }
        if (!(await confirmTotp(transaction, userId, use))) throw new AppError('enrolment_expired')
        return writeRecoveryCodes(transaction, userId)
      })
      // Whoever signed in with the password alone has to show both now.
      await sessions.endAll(userId, sessionId)
      return codes
    },

    async renewRecoveryCodes(actor, code, address) {
      await requireOn(actor, code, address)
      return db.transaction().execute(each => writeRecoveryCodes(each, actor.userId))
    },

    async disable(actor, code, address) {
      await requireOn(actor, code, address)
      await db.transaction().execute(each => deleteTotp(each, actor.userId))
      return state(actor.userId)
    },

    async reset(userId) {
      await db.transaction().execute(async transaction => {
        await deleteTotp(transaction, userId)
        await deleteAllPasskeys(transaction, userId)
      })
      await sessions.endAll(userId, null)
    },
  }
}

const isOn = (stored: StoredTotp | undefined): stored is StoredTotp & { confirmed_at: number } =>
  stored !== undefined && stored.confirmed_at !== null
