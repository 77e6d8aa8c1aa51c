import type { Kysely, Selectable } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { Database } from '../db/schema.ts'
import type { RecordTable } from '../db/schema-devices.ts'

type Db = Kysely<Database>

/** A record as stored. */
export type StoredRecord = Selectable<RecordTable>

/** What a caller may change of a record; `access` and `options` are JSON. */
export type RecordChange = Partial<
  Pick<StoredRecord, 'name' | 'target' | 'remark' | 'enabled' | 'access' | 'options'>
>

/**
 * Takes the row of the owner's device for the rest of the transaction and says whether there is one. A write that
 * changes nothing, because SQLite knows no FOR UPDATE; on PostgreSQL it locks the row.
 */
export async function lockDevice(db: Db, owner: UserId, device: number): Promise<boolean> {
  const row = await db
    .updateTable('devices')
    .set(eb => ({ paused: eb.ref('paused') }))
    .where('id', '=', device)
    .where('user_id', '=', owner)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Takes the owner's record for the rest of the transaction, as `lockDevice` does. */
export function lockRecord(db: Db, owner: UserId, id: number): Promise<StoredRecord | undefined> {
  return db
    .updateTable('records')
    .set(eb => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** Records of the owner's devices, oldest first. */
export function listRecords(
  db: Db,
  owner: UserId,
  devices: readonly number[],
): Promise<StoredRecord[]> {
  if (devices.length === 0) return Promise.resolve([])
  return db
    .selectFrom('records')
    .selectAll()
    .where('user_id', '=', owner)
    .where('device_id', 'in', devices)
    .orderBy('id')
    .execute()
}

/** How many records a device of the owner has. */
export async function countRecords(db: Db, owner: UserId, device: number): Promise<number> {
  const row = await db
    .selectFrom('records')
    .select(eb => eb.fn.countAll().as('count'))
    .where('user_id', '=', owner)
    .where('device_id', '=', device)
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** The record of a name, whoever owns it: names are public, what may be told of them is the caller's rule. */
export function findRecordByName(db: Db, name: string): Promise<StoredRecord | undefined> {
  return db.selectFrom('records').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Inserts a record; undefined where its name or its port is taken. Waits for a racing insert to end. */
export function insertRecord(
  db: Db,
  owner: UserId,
  record: Omit<StoredRecord, 'id' | 'user_id'>,
): Promise<StoredRecord | undefined> {
  return db
    .insertInto('records')
    .values({ ...record, user_id: owner })
    .onConflict(conflict => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Changes a record; throws the engine's unique violation where the new name is taken. */
export function updateRecord(
  db: Db,
  owner: UserId,
  id: number,
  change: RecordChange & { updated_at: number },
): Promise<StoredRecord | undefined> {
  return db
    .updateTable('records')
    .set(change)
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** Deletes a record of the owner. */
export function deleteRecord(db: Db, owner: UserId, id: number): Promise<StoredRecord | undefined> {
  return db
    .deleteFrom('records')
    .where('id', '=', id)
    .where('user_id', '=', owner)
    .returningAll()
    .executeTakeFirst()
}

/** True while a name rests for somebody else. */
export async function isReservedForOthers(
  db: Db,
  owner: UserId,
  name: string,
  now: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('reserved_names')
    .select('name')
    .where('name', '=', name)
    .where('user_id', '<>', owner)
    .where('reserved_until', '>', now)
    .executeTakeFirst()
  return row !== undefined
}

/** Lets a name rest for its owner. */
export async function reserveName(
  db: Db,
  owner: UserId,
  name: string,
  reservedUntil: number,
): Promise<void> {
  await db
    .insertInto('reserved_names')
    .values({ name, user_id: owner, reserved_until: reservedUntil })
    .onConflict(conflict =>
      conflict.column('name').doUpdateSet({ user_id: owner, reserved_until: reservedUntil }),
    )
    .execute()
}

/** Frees names of the owner whose rest is over, and those that rested longest beyond `keep`. */
export async function trimReservations(
  db: Db,
  owner: UserId,
  { keep, now }: { keep: number; now: number },
): Promise<void> {
  await db
    .deleteFrom('reserved_names')
    .where('user_id', '=', owner)
    .where(eb =>
      eb.or([
        eb('reserved_until', '<=', now),
        eb(
          'name',
          'in',
          eb
            .selectFrom('reserved_names')
            .select('name')
            .where('user_id', '=', owner)
            .orderBy('reserved_until', 'desc')
            .orderBy('name')
            // SQLite knows no OFFSET without a LIMIT; what is beyond goes with the next call.
            .limit(1000)
            .offset(keep),
        ),
      ]),
    )
    .execute()
}

/** Ends the rest of a name that is in use again. */
export async function clearReservation(db: Db, name: string): Promise<void> {
  await db.deleteFrom('reserved_names').where('name', '=', name).execute()
}

/** Ports of the pool that records hold. */
export async function listPortsInUse(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('records').select('port').where('port', 'is not', null).execute()
  return rows.flatMap(({ port }) => (port === null ? [] : [port]))
}

/** Ports that were given back, and by whom. */
export function listReleasedPorts(db: Db) {
  return db.selectFrom('released_ports').selectAll().execute()
}

/** Lets a port rest. */
export async function releasePort(
  db: Db,
  owner: UserId,
  port: number,
  releasedAt: number,
): Promise<void> {
  await db
    .insertInto('released_ports')
    .values({ port, user_id: owner, released_at: releasedAt })
    .onConflict(conflict =>
      conflict.column('port').doUpdateSet({ user_id: owner, released_at: releasedAt }),
    )
    .execute()
}
