import type { SecondFactorState } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import { createCodeLimits } from './code-limits.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  describeSecret,
  findStep,
  hashRecoveryCode,
  plainCode,
} from './codes.ts'
import { deleteAllPasskeys, listOwnPasskeys } from './passkey-store.ts'
import { createSecretBox } from './secret-box.ts'
import {
  confirmTotp,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  renewRecoveryCodes,
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
   * `second_factor_required` where one is needed and none was given, `second_factor_wrong`, `rate_limited`. `claim` uses up what
   * allows the try once the limits let it be made; what it throws leaves the code unseen.
   */
  require(
    userId: UserId,
    code: string | undefined,
    address: string,
    claim?: () => Promise<void>,
  ): Promise<boolean>
  isOn(userId: UserId): Promise<boolean>
  /** Makes a secret that counts once it is confirmed; throws `second_factor_on`. */
  enrol(actor: Actor): Promise<{ secret: string; otpauth_url: string; expires_at: string }>
  /** Turns it on, ends every other session and gives the recovery codes; throws `enrolment_expired`, `second_factor_wrong`. */
  confirm(actor: Actor, code: string, place: RequestPlace): Promise<string[]>
  /** Gives new recovery codes; throws `second_factor_off`, `second_factor_wrong`. */
  renewRecoveryCodes(actor: Actor, code: string, place: RequestPlace): Promise<string[]>
  /** Turns it off; throws `second_factor_off`, `second_factor_wrong`. */
  disable(actor: Actor, code: string, place: RequestPlace): Promise<SecondFactorState>
  /** True where the account has codes, if only begun, or a passkey. */
  isThere(userId: UserId): Promise<boolean>
  /** Takes codes, recovery codes and passkeys away, in the transaction of whoever ends the sessions. */
  remove(transaction: Kysely<Database>, userId: UserId): Promise<void>
}

/** Makes the service. */
export function createSecondFactor(
  context: Pick<ServerContext, 'db' | 'clock' | 'keys' | 'config' | 'bus'>,
  {
    accounts,
    sessions,
  }: { accounts: Pick<Accounts, 'usernameOf'>; sessions: Pick<Sessions, 'endAllAfter'> },
): SecondFactor {
  const { db, clock, keys, bus } = context
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

  /** New codes, and what is stored of them. */
  function makeRecoveryCodes(userId: UserId): { codes: string[]; hashes: string[] } {
    const codes = createRecoveryCodes()
    return { codes, hashes: codes.map(code => hashOf(userId, code)) }
  }

  return {
    state,

    async require(userId, code, address, claim) {
      const stored = await findTotp(db, userId)
      if (!isOn(stored)) return false
      if (code === undefined) throw new AppError('second_factor_required')
      await check(userId, address, async () => {
        await claim?.()
        return take(userId, stored, code)
      })
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

    async confirm({ userId, sessionId }, typed, place) {
      const stored = await findTotp(db, userId)
      const now = clock.now()
      if (stored === undefined || isOn(stored) || now >= stored.created_at + enrolmentMs) {
        throw new AppError('enrolment_expired')
      }
      const secretSealed = stored.secret_sealed
      let step: number | null = null
      await check(userId, place.address, async () => {
        step = findStep(box.open(userId, secretSealed), plainCode(typed), now)
        return step !== null
      })
      // Whoever signed in with the password alone has to show both now.
      const { codes, hashes } = makeRecoveryCodes(userId)
      await sessions.endAllAfter(userId, sessionId, async transaction => {
        const use = { secretSealed, step: step ?? 0, now }
        if (!(await confirmTotp(transaction, userId, use))) throw new AppError('enrolment_expired')
        await replaceRecoveryCodes(transaction, userId, hashes)
      })
      bus.emitSecurityChange({ userId, kind: 'second_factor_on', place })
      return codes
    },

    async renewRecoveryCodes(actor, code, place) {
      await requireOn(actor, code, place.address)
      const { userId } = actor
      const { codes, hashes } = makeRecoveryCodes(userId)
      const isOnStill = await db
        .transaction()
        .execute(transaction => renewRecoveryCodes(transaction, userId, hashes))
      if (!isOnStill) throw new AppError('second_factor_off')
      bus.emitSecurityChange({ userId, kind: 'recovery_codes_renewed', place })
      return codes
    },

    async disable(actor, code, place) {
      await requireOn(actor, code, place.address)
      await db.transaction().execute(each => deleteTotp(each, actor.userId))
      bus.emitSecurityChange({ userId: actor.userId, kind: 'second_factor_off', place })
      return state(actor.userId)
    },

    isThere: async userId =>
      (await findTotp(db, userId)) !== undefined || (await listOwnPasskeys(db, userId)).length > 0,

    async remove(transaction, userId) {
      await deleteTotp(transaction, userId)
      await deleteAllPasskeys(transaction, userId)
    },
  }
}

const isOn = (stored: StoredTotp | undefined): stored is StoredTotp & { confirmed_at: number } =>
  stored !== undefined && stored.confirmed_at !== null
