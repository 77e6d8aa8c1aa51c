import { sealTicket, ticketLifetimeMs } from '@homeport/contract/gate'
import type { ServerContext } from '../context.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { RecordService } from '../records/service.ts'
import { appendTicket, parseNameUrl } from './name-url.ts'

/** The signed-in half of the way round (decisions.md section 5). */
export interface GateService {
  /**
   * Where to send the browser of somebody who wants to open `url`; `n` is the hash of the nonce on that name. Throws
   * `url_unknown` for what is no address of this deployment's names, `gate_denied` for a name that is not open to them.
   */
  createTicket(actor: Actor, asked: { url: string; n?: string | undefined }): Promise<string>
}

/** Makes the rules of tickets. */
export function createGateService(
  { clock, keys, config }: Pick<ServerContext, 'clock' | 'keys' | 'config'>,
  records: Pick<RecordService, 'findByName'>,
): GateService {
  return {
    async createTicket(actor, { url, n }) {
      const place = parseNameUrl(url, config)
      if (place === null) throw new AppError('url_unknown')
      const record = await records.findByName(place.label)
      // A name that leads nowhere is denied like one of somebody else: the error page then tells its reason.
      if (record === undefined || !record.enabled || record.kind !== 'http') {
        throw new AppError('gate_denied')
      }
      if (record.access.includes('public')) return url
      if (!record.access.includes('owner') || record.owner !== actor.userId) {
        throw new AppError('gate_denied')
      }
      // Nobody on the name has asked yet: opening it makes the relay set a nonce and come back with its hash.
      if (n === undefined) return url
      const ticket = sealTicket(keys.gate, {
        host: place.host,
        record: record.id,
        user: actor.userId,
        session: actor.sessionPublicId,
        n,
        expiresAt: clock.now() + ticketLifetimeMs,
      })
      return appendTicket(url, ticket)
    },
  }
}
