import type { CallInput, Profile, patchProfile } from '@homeport/contract'
import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { emailKeyOf, judgePassword, usernameKeyOf } from './policy.ts'
import { presentProfile } from './present.ts'
import type { Sessions } from './sessions.ts'
import { createTokenVault } from './token-vault.ts'
import { parseUserId, type UserId } from './user-id.ts'
import {
  findOldestAdministrator,
  findUser,
  findUserById,
  getUser,
  hasNoUser,
  insertUser,
  raiseReadAnnouncement,
  updateUser,
} from './user-store.ts'

/** What a new account is made from; the hash is computed before the transaction that adds it. */
export interface NewAccount {
  username: string
  passwordHash: string
  /** True for administrators: staff and superuser. */
  isAdministrator: boolean
  acceptedTermsOfService: boolean
}

/** Fields a user may change of the own profile. */
export type ProfileChange = CallInput<typeof patchProfile>['body']

/** Accounts: profile, password, enrolment token. */
export interface Accounts {
  /** Adds an account inside the caller's transaction; throws `username_taken`. */
  create(db: Kysely<Database>, account: NewAccount): Promise<UserId>
  isEmpty(): Promise<boolean>
  /** The first administrator; null while there is none. */
  findAdministrator(): Promise<UserId | null>
  /** Hash and id behind a username or e-mail address; null where there is none. */
  findCredential(account: string): Promise<{ userId: UserId; passwordHash: string } | null>
  /** Owner of a long-lived enrolment token; null for anything else. */
  findUserByToken(token: string): Promise<UserId | null>
  /** Names an account's current token without telling it (it changes with a reset); null where there is no such account. */
  fingerprintOf(user: number): Promise<{ userId: UserId; fingerprint: string } | null>
  usernameOf(userId: UserId): Promise<string>
  getProfile(userId: UserId): Promise<Profile>
  /** Changes the own profile; throws `username_taken`, `email_taken`, `recent_sign_in_required`. */
  changeProfile(actor: Actor, change: ProfileChange): Promise<Profile>
  /** True where the password is the user's. Costs one hash; limits come first. */
  isPassword(userId: UserId, password: string): Promise<boolean>
  /** Sets a new password; every session but `keep` ends. `path` names the field in problems. */
  setPassword(
    userId: UserId,
    password: string,
    options: { path: string; keep: number | null },
  ): Promise<void>
  /** Replaces the enrolment token; paired devices have keys of their own and stay. */
  resetToken(userId: UserId): Promise<Profile>
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

  async function writeProfile(actor: Actor, change: ProfileChange): Promise<void> {
    const { username, email, readed_announcement_id: announcement } = change
    const current = await getUser(db, actor.userId)
    if (email !== undefined && emailKeyOf(email) !== current.email_key) requireRecent(actor)
    const fields = {
      ...(username === undefined ? {} : { username, username_key: usernameKeyOf(username) }),
      ...(email === undefined ? {} : { email, email_key: emailKeyOf(email) }),
      ...(change.accepted_terms_of_service ? { accepted_terms_of_service: 1 } : {}),
      ...(change.accepted_terms_of_payment ? { accepted_terms_of_payment: 1 } : {}),
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
      throw new AppError((await isTaken(actor, username)) ? 'username_taken' : 'email_taken', {
        cause,
      })
    }
  }

  async function isTaken(actor: Actor, username: string | undefined): Promise<boolean> {
    if (username === undefined) return false
    const holder = await findUser(db, 'username_key', usernameKeyOf(username))
    return holder !== undefined && holder.id !== actor.userId
  }

  function requireRecent(actor: Actor): void {
    if (clock.now() >= actor.recentUntil) throw new AppError('recent_sign_in_required')
  }

  return {
    async create(transaction, account) {
      const userId = await insertUser(transaction, {
        username: account.username,
        username_key: usernameKeyOf(account.username),
        email: '',
        email_key: null,
        password_hash: account.passwordHash,
        ...sealNewToken(),
        is_staff: account.isAdministrator ? 1 : 0,
        is_superuser: account.isAdministrator ? 1 : 0,
        is_promoter: 0,
        accepted_terms_of_service: account.acceptedTermsOfService ? 1 : 0,
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
      // A username never holds an @, so the two cannot be confused.
      const user = account.includes('@')
        ? await findUser(db, 'email_key', emailKeyOf(account) ?? '')
        : await findUser(db, 'username_key', usernameKeyOf(account))
      if (user === undefined) return null
      return { userId: parseUserId(user.id), passwordHash: user.password_hash }
    },

    async findUserByToken(token) {
      const user = await findUser(db, 'token_index', vault.indexOf(token))
      return user === undefined ? null : parseUserId(user.id)
    },

    async fingerprintOf(id) {
      const user = await findUserById(db, id)
      if (user === undefined) return null
      return { userId: parseUserId(user.id), fingerprint: user.token_index }
    },

    usernameOf: async userId => (await getUser(db, userId)).username,

    getProfile: readProfile,

    async changeProfile(actor, change) {
      await writeProfile(actor, change)
      bus.emit(actor.userId, { type: 'profile' })
      return readProfile(actor.userId)
    },

    async isPassword(userId, password) {
      return passwords.verify((await getUser(db, userId)).password_hash, password)
    },

    async setPassword(userId, password, { path, keep }) {
      const { username } = await getUser(db, userId)
      const errors = judgePassword(path, password, username)
      if (errors.length > 0) throw new AppError('invalid_input', { errors })
      await updateUser(db, userId, { password_hash: await passwords.hash(password) })
      await sessions.endAll(userId, keep)
    },

    async resetToken(userId) {
      await updateUser(db, userId, sealNewToken())
      bus.emit(userId, { type: 'profile' })
      return readProfile(userId)
    },
  }
}
