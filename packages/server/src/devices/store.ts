import { type Kysely, type Selectable, sql } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { DeviceTable } from '../db/schema-devices.ts'

type Db = Kysely<Database>

/** A device as stored. */
export type StoredDevice = Selectable<DeviceTable>

/** What a device says of itself when it is paired. */
export type DeviceFacts = Pick<
  StoredDevice,
  'public_key' | 'name' | 'model' | 'agent' | 'agent_version'
>

/** What a list of devices is asked with; an empty `search` matches all. */
export interface DeviceQuery {
  search: string
  ordering: string
  limit: number
  offset: number
  id?: number | undefined
}

// Engines disagree on where nulls stand in an order; a device that was never seen comes before all that were.
const orderings = {
  name: sql`name`,
  created_at: sql`created_at`,
  last_seen_at: sql`coalesce(last_seen_at, 0)`,
}

/** One page of the owner's devices and the count of all that match. */
export async function listDevices(
  db: Db,
  owner: UserId,
  query: DeviceQuery,
): Promise<{ count: number; rows: StoredDevice[] }> {
  let matching = db.selectFrom('devices').where('user_id', '=', owner)
  if (query.id !== undefined) matching = matching.where('id', '=', query.id)
  if (query.search !== '') {
    const pattern = `%${query.search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
    const contains = (column: 'name' | 'remark' | 'model' | 'uid') =>
      sql<boolean>`lower(${sql.ref(column)}) like ${pattern} escape '\\'`
    matching = matching.where(eb =>
      eb.or([contains('name'), contains('remark'), contains('model'), contains('uid')]),
    )
  }
  const { count } = await matching
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const direction = query.ordering.startsWith('-') ? 'desc' : 'asc'
  const ordering = query.ordering.replace('-', '') as keyof typeof orderings
  const rows = await matching
    .selectAll()
    .orderBy(orderings[ordering], direction)
    .orderBy('id', direction)
    .limit(query.limit)
    .offset(query.offset)
    .execute()
  return { count, rows }
}

/** A device of the owner. */
export function findDevice(db: Db, owner: UserId, id: number): Promise<StoredDevice | undefined> {
  return db
    .selectFrom('devices')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .executeTakeFirst()
}

/** Changes a device of the owner; `change` names at least one column. */
export function updateDevice(
  db: Db,
  owner: UserId,
  id: number,
  change: Partial<Pick<StoredDevice, 'name' | 'remark' | 'paused'>>,
): Promise<StoredDevice | undefined> {
  return db
    .updateTable('devices')
    .set(change)
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a device of the owner; its records and its pairing go with it. */
export function deleteDevice(db: Db, owner: UserId, id: number): Promise<StoredDevice | undefined> {
  return db
    .deleteFrom('devices')
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/**
 * Takes the owner's account for the rest of the transaction: pairings of one user come one after the other, so that
 * their count can be trusted. A write that changes nothing, because SQLite knows no FOR UPDATE.
 */
export async function lockOwner(db: Db, owner: UserId): Promise<void> {
  await db
    .updateTable('users')
    .set(eb => ({ created_at: eb.ref('created_at') }))
    .where('id', '=', owner)
    .execute()
}

/** How many devices the owner has. */
export async function countDevices(db: Db, owner: UserId): Promise<number> {
  const { count } = await db
    .selectFrom('devices')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', owner)
    .executeTakeFirstOrThrow()
  return count
}

/** Renews what the owner's device with this key says of itself; undefined where the owner has none. */
export function refreshDevice(
  db: Db,
  owner: UserId,
  facts: DeviceFacts,
): Promise<StoredDevice | undefined> {
  return db
    .updateTable('devices')
    .set({ model: facts.model, agent: facts.agent, agent_version: facts.agent_version })
    .where('public_key', '=', facts.public_key)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** Inserts a device; undefined where its key belongs to somebody already. */
export function insertDevice(
  db: Db,
  owner: UserId,
  device: DeviceFacts & Pick<StoredDevice, 'uid' | 'created_at' | 'public_ip'>,
): Promise<StoredDevice | undefined> {
  return db
    .insertInto('devices')
    .values({ ...device, user_id: owner, remark: '', lan_ip: '', paused: 0, last_seen_at: null })
    .onConflict(conflict => conflict.column('public_key').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** What stands behind a name and whose it is, whoever asks: what may be told of it is the caller's rule. */
export function findName(db: Db, name: string) {
  return db
    .selectFrom('records')
    .innerJoin('devices', 'devices.id', 'records.device_id')
    .innerJoin('users', 'users.id', 'records.user_id')
    .select([
      'records.id as record',
      'records.user_id as owner',
      'records.enabled',
      'records.access',
      'devices.id as device',
      'devices.uid',
      'devices.name as device_name',
      'devices.paused',
      'users.username',
    ])
    .where('records.name', '=', name)
    .where('users.delete_at', 'is', null)
    .executeTakeFirst()
}
