import { randomBytes } from 'node:crypto'
import type { Leaving } from './accounts/leaving.ts'
import type { Releasable, ReleaseOutcome } from './accounts/releases.ts'
import type { AccountRooms } from './app.ts'

/** What an operator may do from the machine itself. */
export interface Administration {
  /** A one-time link that makes another administrator; the link made before is void. */
  createSetupLink(): Promise<string>
  /** A single-use sign-up link that lives `days` (7). */
  createInvite(options?: { remark?: string; days?: number }): Promise<string>
  /**
   * Gives the account of a username or e-mail address a new random password, ends its sessions, and tells the password;
   * null where there is no such account.
   */
  resetPassword(account: string): Promise<string | null>
  /**
   * Takes the number, the e-mail address, or two-step codes and passkeys of an account away and ends its sessions; the password
   * stays. `none` where there is no such account, or it has none; `last_way_in` unless forced where only that opened the account.
   */
  release(account: string, what: Releasable, isForced: boolean): Promise<ReleaseOutcome>
  /** Lets an account leave as its owner could; answers when it is removed (ISO-8601), null where there is no such account. */
  deleteAccount(account: string): Promise<string | null>
  /** Restores an account that is leaving; false where there is no such account, or it is not. */
  restoreAccount(account: string): Promise<boolean>
}

/** Makes the operator's functions on the rooms around accounts; `origin` is the console's. */
export function createAdministration(
  { signUps, invites, accounts, releases, leaving }: AccountRooms & { leaving: Leaving },
  origin: string,
): Administration {
  return {
    createSetupLink: () => signUps.createSetupLink(),

    async createInvite({ remark = '', days = 7 } = {}) {
      const invite = await invites.create({ createdBy: null, remark, days, origin })
      return invite.url
    },

    async resetPassword(account) {
      const credential = await accounts.findCredential(account)
      if (credential === null) return null
      const password = randomBytes(12).toString('base64url')
      await accounts.setPassword(credential.userId, password, {
        path: 'password',
        keep: null,
        place: null,
      })
      return password
    },

    async release(account, what, isForced) {
      const credential = await accounts.findCredential(account)
      if (credential === null) return 'none'
      return releases.release(credential.userId, what, { isForced })
    },

    async deleteAccount(account) {
      const credential = await accounts.findCredential(account)
      if (credential === null) return null
      return new Date(await leaving.begin(credential.userId)).toISOString()
    },

    async restoreAccount(account) {
      const credential = await accounts.findCredential(account)
      return credential !== null && leaving.restore(credential.userId)
    },
  }
}
