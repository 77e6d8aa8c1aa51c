import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { AppError } from '../http/app-error.ts'
import { listIdentities, listOwnPasskeys } from './own-data-store.ts'
import type { UserId } from './user-id.ts'
import { getUser, lockUser } from './user-store.ts'

/**
 * The one rule for whatever takes a way in away: asked in its transaction, after it, and of two that take one each at once the
 * second sees what the first one left. A letter counts as no way in of its own, a message only where messages are sent, an
 * identity only where its provider is set up. Throws `last_way_in` where nothing is left that opens the account.
 */
export async function requireWayIn(
  transaction: Kysely<Database>,
  { sms, oidc, wechat }: Pick<ServerContext['config'], 'sms' | 'oidc' | 'wechat'>,
  userId: UserId,
): Promise<void> {
  await lockUser(transaction, userId)
  const user = await getUser(transaction, userId)
  const providers = { oidc, wechat } as Readonly<Record<string, unknown>>
  const identities = await listIdentities(transaction, userId)
  const isOpen =
    user.password_hash !== '' ||
    (sms.way !== 'off' && user.phone_number !== null) ||
    (await listOwnPasskeys(transaction, userId)).length > 0 ||
    identities.some(({ provider }) => providers[provider] !== undefined)
  if (!isOpen) throw new AppError('last_way_in')
}
