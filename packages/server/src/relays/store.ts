import type { DeviceSession, Usage } from '@homeport/contract/control'
import { type Kysely, sql } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'

// Relays act for every owner at once: apart from `findOwnRoute`, these ask without one, and answer relays only.

type Db = Kysely<Database>

const routeColumns = [
  'records.id',
  'records.user_id',
  'records.kind',
  'records.name',
  'records.port',
  'records.target',
  'records.access',
  'records.options',
  'records.enabled',
  'devices.id as device_id',
  'devices.uid',
  'devices.paused',
] as const

const selectRoute = (db: Db) =>
  db
    .selectFrom('records')
    .innerJoin('devices', 'devices.id', 'records.device_id')
    .innerJoin('users', 'users.id', 'records.user_id')
    // Nothing leads to what belongs to somebody who is leaving: the name answers as if it did not exist.
    .where('users.delete_at', 'is', null)
    .select(routeColumns)

/** A record with its device. */
export type StoredRoute = NonNullable<Awaited<ReturnType<typeof findRouteByName>>>

/** What an http name leads to. A tcp record's name is no http host: it answers at its port alone. */
export const findRouteByName = (db: Db, name: string) =>
  selectRoute(db)
    .where('records.name', '=', name)
    .where('records.kind', '=', 'http')
    .executeTakeFirst()

/** What a port of the pool leads to. */
export const findRouteByPort = (db: Db, port: number) =>
  selectRoute(db).where('records.port', '=', port).executeTakeFirst()

/** A record of the owner on a device of the owner. */
export const findOwnRoute = (db: Db, owner: UserId, device: number, record: number) =>
  selectRoute(db)
    .where('records.user_id', '=', owner)
    .where('records.device_id', '=', device)
    .where('records.id', '=', record)
    .executeTakeFirst()

/** Ports of the pool that lead somewhere now. */
export async function listOpenPorts(db: Db): Promise<number[]> {
  const rows = await selectRoute(db)
    .where('records.port', 'is not', null)
    .where('records.enabled', '=', 1)
    .execute()
  return rows.flatMap(({ port }) => (port === null ? [] : [port]))
}

/** The public key of a device that is bound; undefined for any other, `suspended` while its owner is leaving. */
export async function findDeviceKey(
  db: Db,
  uid: string,
): Promise<{ public_key: string } | 'suspended' | undefined> {
  const row = await db
    .selectFrom('devices')
    .innerJoin('users', 'users.id', 'devices.user_id')
    .select(['devices.public_key', 'users.delete_at'])
    .where('devices.uid', '=', uid)
    .executeTakeFirst()
  return row === undefined || row.delete_at === null ? row : 'suspended'
}

/** Id and owner of a device whose presence was written down. */
export interface SeenDevice {
  id: number
  user_id: number
}

/** Writes down that a device was there; with a session also what the session tells. Undefined for an unknown one. */
export async function saveSeen(
  db: Db,
  uid: string,
  session: DeviceSession | null,
  now: number,
): Promise<SeenDevice | undefined> {
  const facts =
    session === null
      ? {}
      : {
          agent_version: session.agent_version,
          public_ip: session.public_ip,
          lan_ip: session.lan_ip,
          ...(session.model === '' ? {} : { model: session.model }),
        }
  return db
    .updateTable('devices')
    .set({ ...facts, last_seen_at: now })
    .where('uid', '=', uid)
    .returning(['id', 'user_id'])
    .executeTakeFirst()
}

/** Adds to the figures of the hour. Records that are gone by now are left out: nobody is left to show them to. */
export async function addUsage(db: Db, hour: number, usage: readonly Usage[]): Promise<void> {
  // In the order of ids, so that two servers that add at once never wait for each other in a ring.
  for (const { record, requests, bytes_in, bytes_out } of usage.toSorted(byRecord)) {
    await db
      .insertInto('usage_hourly')
      .columns(['record_id', 'user_id', 'device_id', 'hour', 'requests', 'bytes_in', 'bytes_out'])
      .expression(eb =>
        eb
          .selectFrom('records')
          .select([
            'id',
            'user_id',
            'device_id',
            sql<number>`cast(${hour} as bigint)`.as('hour'),
            sql<number>`cast(${requests} as bigint)`.as('requests'),
            sql<number>`cast(${bytes_in} as bigint)`.as('bytes_in'),
            sql<number>`cast(${bytes_out} as bigint)`.as('bytes_out'),
          ])
          .where('id', '=', record),
      )
      .onConflict(conflict =>
        conflict.columns(['record_id', 'hour']).doUpdateSet(eb => ({
          requests: eb('usage_hourly.requests', '+', eb.ref('excluded.requests')),
          bytes_in: eb('usage_hourly.bytes_in', '+', eb.ref('excluded.bytes_in')),
          bytes_out: eb('usage_hourly.bytes_out', '+', eb.ref('excluded.bytes_out')),
        })),
      )
      .execute()
  }
}

const byRecord = (a: Usage, b: Usage): number => a.record - b.record
