import { randomBytes } from 'node:crypto'
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
   * Takes two-step codes and passkeys of the account of a username or e-mail address away and ends its sessions; the password
   * stays. False where there is no such account.
   */
  resetSecondFactor(account: string): Promise<boolean>
}

/** Makes the operator's functions on the rooms around accounts; `origin` is the console's. */
export function createAdministration(
  { signUps, invites, accounts, secondFactor }: AccountRooms,
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
      await accounts.setPassword(credential.userId, password, { path: 'password', keep: null })
      return password
    },

    async resetSecondFactor(account) {
      const credential = await accounts.findCredential(account)
      if (credential === null) return false
      await secondFactor.reset(credential.userId)
      return true
    },
  }
}
