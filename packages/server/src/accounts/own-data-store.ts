import type { Kysely } from 'kysely'
import type { Database } from '../db/schema.ts'
import type { UserId } from './user-id.ts'

// All that a copy of the own data takes is read here, each table by its owner, in pages by an id that only grows.

type Db = Kysely<Database>

/** Rows behind `after`, at most `limit` of them. */
export interface PageBounds {
  after: number
  limit: number
}

/** Devices of the owner. */
export const pageDevices = (db: Db, owner: UserId, { after, limit }: PageBounds) =>
  db
    .selectFrom('devices')
    .selectAll()
    .where('user_id', '=', owner)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Records of the owner. */
export const pageRecords = (db: Db, owner: UserId, { after, limit }: PageBounds) =>
  db
    .selectFrom('records')
    .selectAll()
    .where('user_id', '=', owner)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Sessions of the owner, ended ones too while they are kept. */
export const pageSessions = (db: Db, owner: UserId, { after, limit }: PageBounds) =>
  db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', owner)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Sign-up links that the owner made or used. */
export const pageInvites = (db: Db, owner: UserId, { after, limit }: PageBounds) =>
  db
    .selectFrom('invites')
    .selectAll()
    .where(eb => eb.or([eb('created_by', '=', owner), eb('used_by', '=', owner)]))
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** Passkeys of the owner; at most 20. */
export const listOwnPasskeys = (db: Db, owner: UserId) =>
  db.selectFrom('passkeys').selectAll().where('user_id', '=', owner).orderBy('id').execute()

/** What the owner is at other services. */
export const listIdentities = (db: Db, owner: UserId) =>
  db.selectFrom('identities').selectAll().where('user_id', '=', owner).orderBy('id').execute()

/** Names that rest for the owner; at most 1,000. */
export const listRestingNames = (db: Db, owner: UserId) =>
  db.selectFrom('reserved_names').selectAll().where('user_id', '=', owner).orderBy('name').execute()

/** Hourly figures of the owner behind an hour and record. */
export const pageUsage = (
  db: Db,
  owner: UserId,
  { hour, record, limit }: { hour: number; record: number; limit: number },
) =>
  db
    .selectFrom('usage_hourly')
    .selectAll()
    .where('user_id', '=', owner)
    .where(eb =>
      eb.or([eb('hour', '>', hour), eb.and([eb('hour', '=', hour), eb('record_id', '>', record)])]),
    )
    .orderBy('hour')
    .orderBy('record_id')
    .limit(limit)
    .execute()
