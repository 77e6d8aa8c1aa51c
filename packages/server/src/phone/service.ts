import { randomBytes } from 'node:crypto'
import type { CallInput, Profile, signInWithPhone } from '@homeport/contract'
import type { Kysely } from 'kysely'
import { judgePassword } from '../accounts/password-strength.ts'
import type { Accounts } from '../accounts/service.ts'
import type { Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { SignInDoor, SignInRequest } from '../sign-in/door.ts'
import { type CheckedCode, type SmsCodes, wrongCode } from './codes.ts'
import type { PhoneLimits } from './limits.ts'
import { ownerOf, type PhonePlace } from './place.ts'

/** Crockford's base 32 (no i, l, o, u). */
const letters = '0123456789abcdefghjkmnpqrstvwxyz'

/** Letters of the name that an account gets until its owner chooses one: of a million accounts, one in a million new names is taken. */
const nameLength = 8

/** What the service is made with. */
export interface PhoneParts {
  accounts: Accounts
  sessions: Sessions
  codes: SmsCodes
  limits: PhoneLimits
  door: SignInDoor
  /** False where no text messages are sent. */
  isOn: boolean
}

/** What telephone numbers open. Every function throws `sms_off`, `sms_code_wrong` and `rate_limited`. */
export interface Phones {
  /** Signs in through the door; makes the account where sign-up is open. Throws what the door throws. */
  signIn(
    body: CallInput<typeof signInWithPhone>['body'],
    place: PhonePlace,
    request: SignInRequest,
  ): Promise<{ id: number }>
  /** Sets a new password and ends every session; throws `invalid_input`, `busy`. */
  resetPassword(
    input: { phone: string; code: string; password: string },
    place: PhonePlace,
  ): Promise<{ username: string }>
  /** Throws `phone_bound`, `phone_taken`. */
  bind(input: { phone: string; code: string }, place: OwnPlace): Promise<Profile>
  /** Throws `phone_unbound`, `phone_bound`, `phone_taken`. */
  rebind(input: { oldCode: string; phone: string; code: string }, place: OwnPlace): Promise<Profile>
  /** Makes the session a recent one; throws `forbidden` where there is a password to show, `phone_unbound`. */
  confirm(code: string, place: OwnPlace): Promise<void>
}

type OwnPlace = PhonePlace & { actor: Actor }

/** Makes the service. */
export function createPhones(
  { db, config, bus }: Pick<ServerContext, 'db' | 'config' | 'bus'>,
  { accounts, sessions, codes, limits, door, isOn }: PhoneParts,
): Phones {
  /** Pays for a try, and takes the payment back where it was right. */
  async function trying<T>(address: string, check: () => Promise<T>): Promise<T> {
    if (!isOn) throw new AppError('sms_off')
    const giveBack = limits.payTry(address)
    const result = await check()
    giveBack()
    return result
  }

  /** The account of a number that was shown; made where there is none and sign-up is open. */
  async function findOrMake(
    transaction: Kysely<Database>,
    phone: string,
    acceptedTermsOfService: boolean,
  ): Promise<UserId> {
    const known = await accounts.findByPhone(phone, transaction)
    if (known !== null) return known
    if (config.signup !== 'open') throw wrongCode()
    return accounts.create(transaction, {
      username: createName(),
      passwordHash: null,
      phone,
      isAdministrator: false,
      acceptedTermsOfService,
    })
  }

  const spend = (checked: CheckedCode) =>
    db.transaction().execute(transaction => codes.spend(transaction, checked))

  async function ownPhone({ userId }: Actor): Promise<string> {
    const own = await accounts.phoneOf(userId)
    if (own === null) throw new AppError('phone_unbound')
    return own
  }

  return {
    async signIn({ phone, code, accepted_terms_of_service: hasAccepted = false }, place, request) {
      const owner = ownerOf('login', place)
      const checked = await trying(place.address, () =>
        codes.check({ scene: 'login', phone, owner }, code),
      )
      const known = await onceMore(() =>
        db.transaction().execute(async transaction => {
          await codes.spend(transaction, checked)
          const userId = await findOrMake(transaction, phone, hasAccepted)
          return { userId, epoch: await sessions.epochOf(userId, transaction) }
        }),
      )
      return door.enter({ ...known, factors: 'one', code: undefined, way: 'phone' }, request)
    },

    async resetPassword({ phone, code, password }, place) {
      const owner = ownerOf('reset', place)
      const checked = await trying(place.address, async () => {
        // What any account would refuse is said before the code is looked at; judging costs, so it is paid for as a try.
        const errors = await judgePassword('password', password, [])
        if (errors.length > 0) throw new AppError('invalid_input', { errors })
        return codes.check({ scene: 'reset', phone, owner }, code)
      })
      const userId = await accounts.findByPhone(phone)
      if (userId === null) throw wrongCode()
      await accounts.setPassword(userId, password, {
        path: 'password',
        keep: null,
        place,
        claim: transaction => codes.spend(transaction, checked),
      })
      return { username: await accounts.usernameOf(userId) }
    },

    async bind({ phone, code }, { actor, ...place }) {
      if ((await accounts.phoneOf(actor.userId)) !== null) throw new AppError('phone_bound')
      const owner = ownerOf('bind', { actor, browserKey: '' })
      const checked = await trying(place.address, () =>
        codes.check({ scene: 'bind', phone, owner }, code),
      )
      await db.transaction().execute(async transaction => {
        await codes.spend(transaction, checked)
        await accounts.bindPhone(transaction, actor.userId, { from: null, to: phone })
      })
      bus.emitSecurityChange({ userId: actor.userId, kind: 'phone_bound', place })
      return accounts.noteProfile(actor.userId)
    },

    async rebind({ oldCode, phone, code }, { actor, ...place }) {
      const from = await ownPhone(actor)
      if (from === phone) throw new AppError('phone_bound')
      const owner = ownerOf('rebind', { actor, browserKey: '' })
      const [oldChecked, checked] = await trying(place.address, async () =>
        allOrProblems([
          codes.check({ scene: 'rebind', phone: from, owner }, oldCode, 'old_code'),
          codes.check({ scene: 'rebind', phone, owner }, code),
        ]),
      )
      await db.transaction().execute(async transaction => {
        await codes.spend(transaction, oldChecked)
        await codes.spend(transaction, checked)
        await accounts.bindPhone(transaction, actor.userId, { from, to: phone })
      })
      bus.emitSecurityChange({ userId: actor.userId, kind: 'phone_changed', place })
      return accounts.noteProfile(actor.userId)
    },

    async confirm(code, { actor, address }) {
      // Whoever holds the telephone alone must not confirm what the password guards.
      if (await accounts.hasPassword(actor.userId)) throw new AppError('forbidden')
      const phone = await ownPhone(actor)
      const owner = ownerOf('confirm', { actor, browserKey: '' })
      const checked = await trying(address, () =>
        codes.check({ scene: 'confirm', phone, owner }, code),
      )
      await spend(checked)
      await sessions.confirm(actor)
    },
  }
}

/** Runs again what met another that made the same account: by then it is there to be found. */
async function onceMore<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'username_taken')) throw error
    return run()
  }
}

/** All results, or one refusal that names the problems of all. */
async function allOrProblems<A, B>(runs: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  const [first, second] = await Promise.allSettled(runs)
  if (first.status === 'fulfilled' && second.status === 'fulfilled') {
    return [first.value, second.value]
  }
  const reasons = [first, second].flatMap(each =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  )
  const refusals = reasons.filter(each => each instanceof AppError)
  if (refusals.length < reasons.length) throw reasons.find(each => !(each instanceof AppError))
  throw new AppError('sms_code_wrong', { errors: refusals.flatMap(({ errors }) => errors) })
}

const createName = () =>
  `user-${Array.from(randomBytes(nameLength), byte => letters[byte % letters.length]).join('')}`
