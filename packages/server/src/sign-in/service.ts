import { createHmac, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { judgePassword } from '../accounts/password-strength.ts'
import type { Accounts } from '../accounts/service.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { AppError } from '../http/app-error.ts'
import type { Invites } from '../staff/invites.ts'
import { hasSetupCode, replaceSetupCodes, takeSetupCode } from './store.ts'

/** The name of the account that an administrator's password from the configuration makes. */
const administratorName = 'admin'

/** Ways to a new account. */
export interface SignUps {
  /** Makes a set-up link; the one made before is void. Its code stands in the fragment, which no server sees or logs. */
  createSetupLink(): Promise<string>
  /** Uses a set-up code up and makes the administrator; throws `setup_code_invalid`, `username_taken`. */
  setUp(input: { code: string; username: string; password: string }): Promise<UserId>
  /** Makes an account as the settings allow; throws `signup_closed`, `invite_invalid`, `username_taken`. */
  signUp(input: {
    username: string
    password: string
    invite?: string | undefined
  }): Promise<UserId>
  /**
   * Makes an account without a password for somebody whom another way in vouches for, and does `link` in the same
   * transaction. Of the usernames the first one that is free is taken. Throws `signup_closed`, `invite_invalid`.
   */
  signUpWithoutPassword(input: {
    usernames: readonly string[]
    invite: string | undefined
    acceptedTerms: boolean
    link: (db: Kysely<Database>, userId: UserId) => Promise<unknown>
  }): Promise<UserId>
  /** On the first start: the administrator of the configuration, or the set-up link to print. */
  prepareFirstStart(): Promise<string | null>
}

/** Makes the service. */
export function createSignUps(
  { db, clock, config, keys, passwords }: ServerContext,
  accounts: Accounts,
  invites: Invites,
): SignUps {
  const hashOf = (code: string) => createHmac('sha256', keys.setup).update(code).digest('base64url')

  const needsInvite = config.signup === 'invite'

  async function requireOpen(invite: string | undefined): Promise<void> {
    if (config.signup === 'off' || (needsInvite && invite === undefined)) {
      throw new AppError('signup_closed')
    }
    if (needsInvite) await invites.require(invite ?? '')
  }

  async function createFirstFree(
    transaction: Kysely<Database>,
    usernames: readonly string[],
    acceptedTermsOfService: boolean,
  ): Promise<UserId> {
    for (const username of usernames) {
      try {
        return await accounts.create(transaction, {
          username,
          passwordHash: '',
          isAdministrator: false,
          acceptedTermsOfService,
        })
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'username_taken')) throw error
      }
    }
    throw new AppError('username_taken')
  }

  async function hashPassword(username: string, password: string): Promise<string> {
    const errors = await judgePassword('password', password, [username])
    if (errors.length > 0) throw new AppError('invalid_input', { errors })
    return passwords.hash(password)
  }

  async function createSetupLink(): Promise<string> {
    const code = randomBytes(24).toString('base64url')
    await replaceSetupCodes(db, hashOf(code), clock.now())
    return `${config.consoleUrl}/#/setup?code=${code}`
  }

  async function createAdministrator(password: string): Promise<void> {
    const passwordHash = await passwords.hash(password)
    try {
      await accounts.create(db, {
        username: administratorName,
        passwordHash,
        isAdministrator: true,
        acceptedTermsOfService: true,
      })
    } catch (error) {
      // Another server that started on the same database at the same moment made the account.
      if (!(error instanceof AppError && error.code === 'username_taken')) throw error
    }
  }

  return {
    createSetupLink,

    async setUp({ code, username, password }) {
      // Asked before the hash is computed: whoever has no code must not make us compute.
      if (!(await hasSetupCode(db, hashOf(code)))) throw new AppError('setup_code_invalid')
      const passwordHash = await hashPassword(username, password)
      return db.transaction().execute(async transaction => {
        if (!(await takeSetupCode(transaction, hashOf(code)))) {
          throw new AppError('setup_code_invalid')
        }
        return accounts.create(transaction, {
          username,
          passwordHash,
          isAdministrator: true,
          acceptedTermsOfService: true,
        })
      })
    },

    async signUp({ username, password, invite }) {
      await requireOpen(invite)
      const passwordHash = await hashPassword(username, password)
      return db.transaction().execute(async transaction => {
        const userId = await accounts.create(transaction, {
          username,
          passwordHash,
          isAdministrator: false,
          acceptedTermsOfService: true,
        })
        if (needsInvite) await invites.take(transaction, invite ?? '', userId)
        return userId
      })
    },

    async signUpWithoutPassword({ usernames, invite, acceptedTerms, link }) {
      await requireOpen(invite)
      return db.transaction().execute(async transaction => {
        const userId = await createFirstFree(transaction, usernames, acceptedTerms)
        if (needsInvite) await invites.take(transaction, invite ?? '', userId)
        await link(transaction, userId)
        return userId
      })
    },

    async prepareFirstStart() {
      if (!(await accounts.isEmpty())) return null
      if (config.adminPassword === undefined) return createSetupLink()
      await createAdministrator(config.adminPassword)
      return null
    },
  }
}
