import type { Clock, Logger } from '@homeport/runtime'
import type { Kysely } from 'kysely'
import type { Passwords } from './accounts/passwords.ts'
import type { ServerConfig } from './config.ts'
import type { Database } from './db/schema.ts'
import type { EventBus } from './events/bus.ts'
import type { ServerKeys } from './keys.ts'
import type { Outbox } from './messages/outbox.ts'

/** What every room is given; a room holds no other state of the process. */
export interface ServerContext {
  readonly db: Kysely<Database>
  readonly clock: Clock
  readonly keys: ServerKeys
  readonly config: ServerConfig
  readonly logger: Logger
  readonly bus: EventBus
  readonly passwords: Passwords
  /** Takes messages in development; null in production. */
  readonly outbox: Outbox | null
}
