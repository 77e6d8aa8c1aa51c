import { createHash } from 'node:crypto'
import {
  type CallInput,
  type OwnAccount,
  type Profile,
  type patchProfile,
  termsVersions,
} from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { dropSingleUses } from '../db/single-use.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { Language } from '../http/language.ts'
import type { RequestPlace } from '../http/request-facts.ts'
import { findEmailChange } from './email-store.ts'
import { judgePassword } from './password-strength.ts'
import { emailKeyOf, userKeyOf, usernameKeyOf } from './policy.ts'
import { presentOwnAccount, presentProfile } from './present.ts'
import { resetLink, type Sessions } from './sessions.ts'
import { createTokenVault } from './token-vault.ts'
import { parseUserId, type UserId } from './user-id.ts'
import {
  countBelongings,
  countSuperusers,
  findOldestAdministrator,
  findUser,
  findUserById,
  forgetIssuedTokens,
  getUser,
  hasNoUser,
  insertUser,
  raiseReadAnnouncement,
  replacePhone,
  type StoredUser,
  updateUser,
} from './user-store.ts'

/** What a new account is made from; the hash is computed before the transaction that adds it. */
export interface NewAccount {
  username: string
  /** Null for an account that is entered another way. */
  passwordHash: string | null
  /** E.164, shown to be the owner's; none unless given. Throws `username_taken` where another has it, too. */
  phone?: string
  /** True for administrators: staff and superuser. */
  isAdministrator: boolean
  acceptedTermsOfService: boolean
}

/** An account as letters need it. */
export interface Correspondent {
  userId: UserId
  username: string
  /** Proved to be the owner's; empty where there is none. */
  email: string
  /** What its pages are in; null before the first sign-in. */
  language: Language | null
  /** Another one after each change of the password or the e-mail address; not a secret. */
  credentialVersion: string
}

/** Fields a user may change of the own profile; the e-mail address has a way of its own. */
export type ProfileChange = Omit<CallInput<typeof patchProfile>['body'], 'email'>

/** How a new password is set. */
export interface NewPasswordOptions {
  /** Names the field in problems. */
  path: string
  /** The session that goes on; null for a reset, which nobody who is signed in asked for. */
  keep: number | null
  place: RequestPlace | null
  /** Uses up what allows it, in the transaction that writes the password; what it throws leaves the old one. */
  claim?: (transaction: Kysely<Database>) => Promise<void>
}

/** Accounts: profile, password, enrolment token. */
export interface Accounts {
  /** Adds an account inside the caller's transaction; throws `username_taken`. */
  create(db: Kysely<Database>, account: NewAccount): Promise<UserId>
  isEmpty(): Promise<boolean>
  /** The first administrator; null while there is none. */
  findAdministrator(): Promise<UserId | null>
  /** Hash, id and epoch behind a username, e-mail address or telephone number; null where there is none. */
  findCredential(
    account: string,
  ): Promise<{ userId: UserId; passwordHash: string | null; epoch: number } | null>
  /** Owner of a long-lived enrolment token; null for anything else, also where the owner is leaving. */
  findUserByToken(token: string): Promise<UserId | null>
  /** Names an account's current token without telling it (it changes with a reset); null where there is no such account. */
  fingerprintOf(user: number): Promise<{ userId: UserId; fingerprint: string } | null>
  usernameOf(userId: UserId): Promise<string>
  /** The account whose proved e-mail address this is; null where there is none. */
  findByEmail(email: string): Promise<Correspondent | null>
  /** The account of an id; null where it is gone. Inside the caller's transaction where one is given. */
  correspondentOf(user: number, within?: Kysely<Database>): Promise<Correspondent | null>
  /** The account that a number is bound to; inside the caller's transaction where one is given. */
  findByPhone(phone: string, within?: Kysely<Database>): Promise<UserId | null>
  /** The account's number, E.164; null where none is bound. */
  phoneOf(userId: UserId): Promise<string | null>
  /** Puts a number that was shown to be the owner's in the place of `from`; throws `phone_taken`, `phone_bound`. */
  bindPhone(
    db: Kysely<Database>,
    userId: UserId,
    numbers: { from: string | null; to: string },
  ): Promise<void>
  /** Tells the account's pages that its profile changed, and gives it. */
  noteProfile(userId: UserId): Promise<Profile>
  getProfile(userId: UserId): Promise<Profile>
  /** What hangs on the account, and which terms were accepted when. */
  describe(userId: UserId, canMail: boolean): Promise<OwnAccount>
  /** Changes the own profile; throws `username_taken`. */
  changeProfile(actor: Actor, change: ProfileChange): Promise<Profile>
  /** False where the account is signed in to in other ways alone. */
  hasPassword(userId: UserId): Promise<boolean>
  /** True where the password is the user's. Costs one hash; limits come first. */
  isPassword(userId: UserId, password: string): Promise<boolean>
  /** Throws `invalid_input` with the field `path` where the account may not have this password. */
  requireFitPassword(userId: UserId, password: string, path: string): Promise<void>
  /** Sets a new password; every session but `keep` ends, and so do links to reset it. Throws `invalid_input`, `busy`. */
  setPassword(userId: UserId, password: string, options: NewPasswordOptions): Promise<void>
  /** Replaces the enrolment token; paired devices have keys of their own and stay. */
  resetToken(userId: UserId): Promise<Profile>
}

// A version is accepted once: whoever says so again, at each sign-in, does not change the day.
const acceptService = (now: number, before?: StoredUser) =>
  before?.terms_of_service_version === termsVersions.service
    ? {}
    : {
        accepted_terms_of_service: 1,
        terms_of_service_at: now,
        terms_of_service_version: termsVersions.service,
      }

const acceptPayment = (now: number, before: StoredUser) =>
  before.terms_of_payment_version === termsVersions.payment
    ? {}
    : {
        accepted_terms_of_payment: 1,
        terms_of_payment_at: now,
        terms_of_payment_version: termsVersions.payment,
      }

/** Makes the service. */
export function createAccounts(context: ServerContext, sessions: Sessions): Accounts {
  const { db, clock, bus, passwords } = context
  const vault = createTokenVault(context.keys)
  const sealNewToken = () => {
    const { sealed, index } = vault.seal(crypto.randomUUID())
    return { token_sealed: sealed, token_index: index }
  }

  async function readProfile(userId: UserId): Promise<Profile> {
    const user = await getUser(db, userId)
    return presentProfile(user, vault.open(user.token_sealed))
  }

  async function requireFitPassword(userId: UserId, password: string, path: string): Promise<void> {
    const { username, email } = await getUser(db, userId)
    const errors = await judgePassword(path, password, [username, email])
    if (errors.length > 0) throw new AppError('invalid_input', { errors })
  }

  function noteProfile(userId: UserId): Promise<Profile> {
    bus.emit(userId, { type: 'profile' })
    return readProfile(userId)
  }

  async function writeProfile(actor: Actor, change: ProfileChange): Promise<void> {
    const { username, readed_announcement_id: announcement } = change
    const current = await getUser(db, actor.userId)
    const fields = {
      ...(username === undefined ? {} : { username, username_key: usernameKeyOf(username) }),
      ...(change.accepted_terms_of_service ? acceptService(clock.now(), current) : {}),
      ...(change.accepted_terms_of_payment ? acceptPayment(clock.now(), current) : {}),
    }
    try {
      // One transaction: after a crash the change is there whole or not at all.
      await db.transaction().execute(async transaction => {
        if (Object.keys(fields).length > 0) await updateUser(transaction, actor.userId, fields)
        if (announcement === undefined) return
        await raiseReadAnnouncement(transaction, actor.userId, announcement)
      })
    } catch (cause) {
      if (!isUniqueViolation(cause)) throw cause
      throw new AppError('username_taken', { cause })
    }
  }

  return {
    async create(transaction, account) {
      const userId = await insertUser(transaction, {
        username: account.username,
        username_key: usernameKeyOf(account.username),
        email: '',
        email_key: null,
        password_hash: account.passwordHash ?? '',
        phone_number: account.phone ?? null,
        phone_bound_at: account.phone === undefined ? null : clock.now(),
        ...sealNewToken(),
        is_staff: account.isAdministrator ? 1 : 0,
        is_superuser: account.isAdministrator ? 1 : 0,
        is_promoter: 0,
        ...(account.acceptedTermsOfService ? acceptService(clock.now()) : {}),
        created_at: clock.now(),
      })
      if (userId === null) throw new AppError('username_taken')
      return userId
    },

    isEmpty: () => hasNoUser(db),

    async findAdministrator() {
      const found = await findOldestAdministrator(db)
      return found === undefined ? null : parseUserId(found.id)
    },

    async findCredential(account) {
      const user = await findUser(db, ...userKeyOf(account))
      if (user === undefined) return null
      return {
        userId: parseUserId(user.id),
        passwordHash: hashIn(user),
        epoch: user.session_epoch,
      }
    },

    async findUserByToken(token) {
      const user = await findUser(db, 'token_index', vault.indexOf(token))
      return user === undefined || user.delete_at !== null ? null : parseUserId(user.id)
    },

    async fingerprintOf(id) {
      const user = await findUserById(db, id)
      if (user === undefined || user.delete_at !== null) return null
      return { userId: parseUserId(user.id), fingerprint: user.token_index }
    },

    usernameOf: async userId => (await getUser(db, userId)).username,

    async findByEmail(email) {
      const user = await findUser(db, 'email_key', emailKeyOf(email) ?? '')
      return user === undefined ? null : readCorrespondent(user)
    },

    async correspondentOf(id, within = db) {
      const user = await findUserById(within, id)
      return user === undefined ? null : readCorrespondent(user)
    },

    async findByPhone(phone, within = db) {
      const user = await findUser(within, 'phone_number', phone)
      return user === undefined ? null : parseUserId(user.id)
    },

    phoneOf: async userId => (await getUser(db, userId)).phone_number,

    async bindPhone(transaction, userId, { from, to }) {
      try {
        const change = { from, to, now: clock.now() }
        if (!(await replacePhone(transaction, userId, change))) throw new AppError('phone_bound')
      } catch (cause) {
        if (!isUniqueViolation(cause)) throw cause
        throw new AppError('phone_taken', { cause })
      }
    },

    noteProfile,

    getProfile: readProfile,

    async describe(userId, canMail) {
      const user = await getUser(db, userId)
      const isLast = user.is_superuser === 1 && (await countSuperusers(db)) === 1
      return presentOwnAccount(user, await countBelongings(db, userId, clock.now()), {
        isLastAdministrator: isLast,
        pending: await findEmailChange(db, userId),
        canMail,
      })
    },

    async changeProfile(actor, change) {
      await writeProfile(actor, change)
      return noteProfile(actor.userId)
    },

    hasPassword: async userId => hashIn(await getUser(db, userId)) !== null,

    async isPassword(userId, password) {
      return passwords.verify(hashIn(await getUser(db, userId)), password)
    },

    requireFitPassword,

    async setPassword(userId, password, { path, keep, place, claim }) {
      await requireFitPassword(userId, password, path)
      const hash = await passwords.hash(password)
      await sessions.endAllAfter(userId, keep, async transaction => {
        await claim?.(transaction)
        // Links before the account, as everywhere: two who change both at once wait for each other, and never in a ring.
        await dropSingleUses(transaction, resetLink, userId)
        await updateUser(transaction, userId, { password_hash: hash })
      })
      const kind = keep === null ? 'password_reset' : 'password_changed'
      bus.emitSecurityChange({ userId, kind, place })
    },

    async resetToken(userId) {
      await db.transaction().execute(async transaction => {
        await updateUser(transaction, userId, sealNewToken())
        await forgetIssuedTokens(transaction, userId)
      })
      return noteProfile(userId)
    },
  }
}

const hashIn = ({ password_hash: hash }: { password_hash: string }) => (hash === '' ? null : hash)

const readCorrespondent = (user: StoredUser): Correspondent => ({
  userId: parseUserId(user.id),
  username: user.username,
  email: user.email,
  language: user.language,
  credentialVersion: createHash('sha256')
    .update(`${user.password_hash}\n${user.email_key}`)
    .digest('base64url'),
})
