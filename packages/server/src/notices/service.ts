import { createRateLimiter } from '@homeport/runtime'
import type { Accounts } from '../accounts/service.ts'
import type { ServerContext } from '../context.ts'
import type { SecurityChange } from '../events/bus.ts'
import type { Mailer } from '../mail/mailer.ts'
import { writeNotice } from './letters.ts'

/** Notices of one kind that an account gets in a burst: other kinds go on, so that no flood hides what it is to hide. */
const kindBurst = 3

/** After that one each 20 minutes. */
const noticesPerSecond = 1 / 1200

/** Accounts and kinds remembered at once. */
const keyLimit = 20_000

/** Letters that tell owners what happened to their account. */
export interface Notices {
  /** Writes to the account's proved address, where there is one and mail is on. Never throws, and nobody waits for it. */
  tell(change: SecurityChange): void
}

/** Makes the service. */
export function createNotices(
  { clock, config }: Pick<ServerContext, 'clock' | 'config'>,
  {
    accounts,
    mailer,
  }: {
    accounts: Pick<Accounts, 'correspondentOf'>
    mailer: Pick<Mailer, 'isOn' | 'send' | 'later'>
  },
): Notices {
  const byKind = createRateLimiter({
    burst: kindBurst,
    perSecond: noticesPerSecond,
    keyLimit,
    clock,
  })

  return {
    tell({ userId, kind, place, to }) {
      if (!mailer.isOn || to === '' || !byKind.take(`${userId} ${kind}`).isAllowed) return
      const at = clock.now()
      mailer.later(async () => {
        const owner = await accounts.correspondentOf(userId)
        const address = to ?? owner?.email ?? ''
        if (owner === null || address === '') return
        const { username, language } = owner
        const facts = { username, at, place, consoleUrl: config.consoleUrl }
        mailer.send(writeNotice(kind, address, { ...facts, language: language ?? 'zh' }))
      })
    },
  }
}
