import { exportsPerDay, type OwnData } from '@homeport/contract'
import type { ServerContext } from '../context.ts'
import { countUse, type UseBounds, waitForUse } from '../db/counted-uses.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { Download } from '../http/mount.ts'
import { accessOf, optionsOf } from '../records/present.ts'
import type { SecondFactor } from '../second-factor/service.ts'
import { findEmailChange } from './email-store.ts'
import {
  listIdentities,
  listOwnPasskeys,
  listRestingNames,
  type PageBounds,
  pageDevices,
  pageInvites,
  pageRecords,
  pageSessions,
  pageUsage,
} from './own-data-store.ts'
import { getUser } from './user-store.ts'

/** Rows read at once: what a copy holds in memory does not grow with the account. */
const pageSize = 500

const copyBounds: UseBounds = {
  pauseMs: 0,
  periodMs: 24 * 60 * 60 * 1000,
  most: exportsPerDay,
}

const toInstant = (epochMs: number) => new Date(epochMs).toISOString()
const toNote = (epochMs: number | null) => (epochMs === null ? null : toInstant(epochMs))

type Row<K extends keyof OwnData> = OwnData[K] extends readonly (infer R)[] ? R : never

/** Copies of the own data. */
export interface OwnDataExports {
  /** Begins a copy; throws `rate_limited` after those of the day. */
  open(actor: Actor): Promise<Download>
}

/** Makes the service. Every field is named here: what is not, stays where it is. */
export function createOwnDataExports(
  { db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>,
  secondFactor: Pick<SecondFactor, 'state'>,
): OwnDataExports {
  async function readHead(actor: Actor) {
    const user = await getUser(db, actor.userId)
    const pending = await findEmailChange(db, actor.userId)
    const profile: OwnData['profile'] = {
      id: user.id,
      username: user.username,
      email: user.email,
      phone_number: user.phone_number ?? '',
      phone_bound_at: toNote(user.phone_bound_at),
      email_pending: pending?.email ?? '',
      is_staff: user.is_staff === 1,
      is_superuser: user.is_superuser === 1,
      is_promoter: user.is_promoter === 1,
      created_at: toInstant(user.created_at),
      readed_announcement_id: user.readed_announcement_id,
      terms_of_service: {
        version: user.terms_of_service_version,
        accepted_at: toNote(user.terms_of_service_at),
      },
      terms_of_payment: {
        version: user.terms_of_payment_version,
        accepted_at: toNote(user.terms_of_payment_at),
      },
    }
    return {
      format: 'homeport-own-data/1',
      exported_at: toInstant(clock.now()),
      console_url: config.consoleUrl,
      profile,
      two_step_codes: await secondFactor.state(actor.userId),
    } satisfies Partial<OwnData>
  }

  async function* listPasskeys({ userId }: Actor): AsyncGenerator<Row<'passkeys'>> {
    for (const row of await listOwnPasskeys(db, userId)) {
      yield {
        name: row.name,
        is_synced: row.is_synced === 1,
        created_at: toInstant(row.created_at),
        last_used_at: toNote(row.last_used_at),
      }
    }
  }

  async function* listOwnIdentities({ userId }: Actor): AsyncGenerator<Row<'identities'>> {
    for (const row of await listIdentities(db, userId)) {
      const { provider, subject, display_name } = row
      yield {
        ...{ provider, subject, display_name },
        created_at: toInstant(row.created_at),
        last_used_at: toNote(row.last_used_at),
      }
    }
  }

  async function* listSessions({ userId }: Actor): AsyncGenerator<Row<'sessions'>> {
    for await (const row of walk(bounds => pageSessions(db, userId, bounds))) {
      yield {
        user_agent: row.user_agent,
        address: row.address,
        way: row.way,
        second_factor: row.second_factor === 1,
        created_at: toInstant(row.created_at),
        last_seen_at: toInstant(row.last_seen_at),
        ended_at: toNote(row.ended_at),
      }
    }
  }

  async function* listDevices({ userId }: Actor): AsyncGenerator<Row<'devices'>> {
    for await (const row of walk(bounds => pageDevices(db, userId, bounds))) {
      const { id, uid, name, remark, model, agent, agent_version, public_ip, lan_ip } = row
      yield {
        ...{ id, uid, name, remark, model, agent, agent_version, public_ip, lan_ip },
        paused: row.paused === 1,
        created_at: toInstant(row.created_at),
        last_seen_at: toNote(row.last_seen_at),
      }
    }
  }

  async function* listRecords({ userId }: Actor): AsyncGenerator<Row<'records'>> {
    for await (const row of walk(bounds => pageRecords(db, userId, bounds))) {
      const { id, device_id: device, name, kind, target, port, remark } = row
      yield {
        ...{ id, device, name, kind, target, port, remark },
        enabled: row.enabled === 1,
        access: accessOf(row),
        options: optionsOf(row),
        created_at: toInstant(row.created_at),
        updated_at: toInstant(row.updated_at),
      }
    }
  }

  async function* listNames({ userId }: Actor): AsyncGenerator<Row<'resting_names'>> {
    for (const row of await listRestingNames(db, userId)) {
      yield { name: row.name, until: toInstant(row.reserved_until) }
    }
  }

  async function* listInvites({ userId }: Actor): AsyncGenerator<Row<'invites'>> {
    for await (const row of walk(bounds => pageInvites(db, userId, bounds))) {
      yield {
        role: row.created_by === userId ? 'made' : 'used',
        // What its maker wrote down is not the guest's to read.
        remark: row.created_by === userId ? row.remark : '',
        created_at: toInstant(row.created_at),
        expires_at: toInstant(row.expires_at),
        used_at: toNote(row.used_at),
      }
    }
  }

  async function* listUsage({ userId }: Actor): AsyncGenerator<Row<'usage'>> {
    let place = { hour: -1, record: 0 }
    for (;;) {
      const rows = await pageUsage(db, userId, { ...place, limit: pageSize })
      for (const { hour, record_id: record, device_id: device, ...row } of rows) {
        const { requests, bytes_in, bytes_out } = row
        yield { hour: toInstant(hour), record, device, requests, bytes_in, bytes_out }
      }
      const last = rows.at(-1)
      if (last === undefined || rows.length < pageSize) return
      place = { hour: last.hour, record: last.record_id }
    }
  }

  const lists = {
    passkeys: listPasskeys,
    identities: listOwnIdentities,
    sessions: listSessions,
    devices: listDevices,
    records: listRecords,
    resting_names: listNames,
    invites: listInvites,
    usage: listUsage,
  } satisfies { [K in keyof OwnData]?: (actor: Actor) => AsyncGenerator<Row<K>> }

  async function* write(actor: Actor): AsyncGenerator<string> {
    yield JSON.stringify(await readHead(actor), null, 1).slice(0, -2)
    for (const [name, list] of Object.entries(lists)) {
      yield `,\n "${name}": [`
      let separator = '\n  '
      for await (const row of list(actor)) {
        yield `${separator}${JSON.stringify(row)}`
        separator = ',\n  '
      }
      yield '\n ]'
    }
    yield '\n}\n'
  }

  return {
    async open(actor) {
      const [key, now] = [`copy of ${actor.userId}`, clock.now()]
      if (!(await countUse(db, key, copyBounds, now))) {
        const waitMs = await waitForUse(db, key, copyBounds, now)
        throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      }
      const day = toInstant(now).slice(0, 10)
      return { fileName: `homeport-${day}.json`, parts: write(actor) }
    },
  }
}

/** All rows, a page at a time. */
async function* walk<R extends { id: number }>(
  read: (bounds: PageBounds) => Promise<R[]>,
): AsyncGenerator<R> {
  let after = 0
  for (;;) {
    const rows = await read({ after, limit: pageSize })
    yield* rows
    if (rows.length < pageSize) return
    after = rows.at(-1)?.id ?? after
  }
}
