import { randomInt } from 'node:crypto'
import type { AccessWay, CallInput, createRecord, patchRecord, RecordRow } from '@homeport/contract'
import type { RouteKey } from '@homeport/contract/control'
import type { Kysely } from 'kysely'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { isUniqueViolation } from '../db/unique-violation.ts'
import { AppError } from '../http/app-error.ts'
import { hostOfName } from './name-urls.ts'
import {
  decideAccess,
  nameRestMs,
  recordLimitPerDevice,
  restingNameLimit,
  targetFitsKind,
} from './policy.ts'
import { choosePort } from './ports.ts'
import { accessOf, presentRecord } from './present.ts'
import {
  clearReservation,
  countRecords,
  deleteRecord,
  findRecordByName,
  insertRecord,
  isReservedForOthers,
  listPortsInUse,
  listRecords,
  listReleasedPorts,
  lockDevice,
  lockRecord,
  releasePort,
  reserveName,
  type StoredRecord,
  trimReservations,
  updateRecord,
} from './store.ts'

type Db = Kysely<Database>
type NewRecord = CallInput<typeof createRecord>['body']
type RecordPatch = CallInput<typeof patchRecord>['body']

// Two racing records may pick the same port; each try picks anew, so that many tries all losing means a full pool.
const portTries = 10

/** What the gate has to know of a name. */
export interface NamedRecord {
  id: number
  owner: number
  enabled: boolean
  kind: StoredRecord['kind']
  access: AccessWay[]
}

/** Hears which decisions are stale. */
export interface RouteListener {
  routesChanged(keys: readonly RouteKey[]): void
}

/** Rules of records. Every change is told to the relays and to the owner's pages once it is committed. */
export interface RecordService {
  create(owner: UserId, input: NewRecord): Promise<RecordRow>
  /** Only named fields change; `options` is replaced as a whole. */
  patch(owner: UserId, id: number, change: RecordPatch): Promise<RecordRow>
  remove(owner: UserId, id: number): Promise<void>
  /** Records of each of the owner's devices, by device id. */
  listByDevice(owner: UserId, devices: readonly number[]): Promise<Map<number, RecordRow[]>>
  /** Keys of everything that leads to a device of the owner. */
  routeKeysOf(owner: UserId, device: number): Promise<RouteKey[]>
  /**
   * Lets names and ports of a device that is about to be deleted rest for the owner, inside the caller's transaction;
   * the rows go with the device. Answers the keys to tell the relays after the commit.
   */
  releaseAll(tx: Db, owner: UserId, device: number): Promise<RouteKey[]>
  /** What stands behind a name, for the gate; the name's label alone. */
  findByName(name: string): Promise<NamedRecord | undefined>
}

/** Makes the rules of records. */
export function createRecordService(
  { db, clock, config, bus }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'bus'>,
  relays: RouteListener,
): RecordService {
  const keysOf = (record: Pick<StoredRecord, 'name' | 'port'>): RouteKey[] => [
    { kind: 'host', host: hostOfName(config, record.name) },
    ...(record.port === null ? [] : [{ kind: 'port' as const, port: record.port }]),
  ]

  function announce(owner: UserId, record: StoredRecord, keys: RouteKey[]): void {
    relays.routesChanged(keys)
    bus.emit(owner, { type: 'record', id: record.id, router: record.device_id })
  }

  async function restName(tx: Db, owner: UserId, name: string): Promise<void> {
    const now = clock.now()
    await reserveName(tx, owner, name, now + nameRestMs)
    await trimReservations(tx, owner, { keep: restingNameLimit, now })
  }

  async function release(tx: Db, owner: UserId, record: StoredRecord): Promise<void> {
    await restName(tx, owner, record.name)
    if (record.port !== null) await releasePort(tx, owner, record.port, clock.now())
  }

  /** The new row; `port_taken` where a racing record took the port that was picked. */
  async function insert(tx: Db, owner: UserId, input: NewRecord, access: AccessWay[]) {
    if (!(await lockDevice(tx, owner, input.router))) {
      throw invalid('router', 'not_found')
    }
    if ((await countRecords(tx, owner, input.router)) >= recordLimitPerDevice) {
      throw new AppError('record_limit')
    }
    const port = input.kind === 'tcp' ? await pickPort(tx, owner) : null
    const now = clock.now()
    const row = await insertRecord(tx, owner, {
      device_id: input.router,
      name: input.name,
      kind: input.kind,
      target: input.target,
      remark: input.remark ?? '',
      enabled: input.enabled === false ? 0 : 1,
      access: JSON.stringify(access),
      options: JSON.stringify(input.options ?? {}),
      port,
      created_at: now,
      updated_at: now,
    })
    if (row === undefined) {
      if ((await findRecordByName(tx, input.name)) === undefined) return 'port_taken'
      throw new AppError('name_taken')
    }
    await takeName(tx, owner, row.name)
    return row
  }

  async function pickPort(tx: Db, owner: UserId): Promise<number> {
    const inUse = await listPortsInUse(tx)
    const released = await listReleasedPorts(tx)
    const port = choosePort(config.tcpPorts, inUse, released, owner, randomInt)
    if (port === null) throw new AppError('port_pool_exhausted')
    return port
  }

  // Asked after the name was taken in `records`: that write has waited for the transaction that gave the name back,
  // so its reservation is seen here. The other order would let a stranger slip in between.
  async function takeName(tx: Db, owner: UserId, name: string): Promise<void> {
    if (await isReservedForOthers(tx, owner, name, clock.now())) throw new AppError('name_taken')
    await clearReservation(tx, name)
  }

  return {
    async create(owner, input) {
      const decided = decideAccess(input.kind, input.access)
      if (!decided.ok) throw new AppError(decided.code)
      if (!targetFitsKind(input.kind, input.target)) throw wrongTarget()
      for (let tries = 0; tries < portTries; tries += 1) {
        const row = await db.transaction().execute(tx => insert(tx, owner, input, decided.access))
        if (row === 'port_taken') continue
        announce(owner, row, keysOf(row))
        return presentRecord(row, config)
      }
      throw new AppError('port_pool_exhausted')
    },

    async patch(owner, id, change) {
      const { before, after } = await db.transaction().execute(async tx => {
        const before = await lockRecord(tx, owner, id)
        if (before === undefined) throw new AppError('not_found')
        const decided = decideAccess(before.kind, change.access ?? accessOf(before))
        if (!decided.ok) throw new AppError(decided.code)
        if (change.target !== undefined && !targetFitsKind(before.kind, change.target)) {
          throw wrongTarget()
        }
        const after = await renameSafely(() =>
          updateRecord(tx, owner, id, {
            ...(change.name === undefined ? {} : { name: change.name }),
            ...(change.target === undefined ? {} : { target: change.target }),
            ...(change.remark === undefined ? {} : { remark: change.remark }),
            ...(change.enabled === undefined ? {} : { enabled: change.enabled ? 1 : 0 }),
            ...(change.options === undefined ? {} : { options: JSON.stringify(change.options) }),
            access: JSON.stringify(decided.access),
            updated_at: clock.now(),
          }),
        )
        if (after === undefined) throw new AppError('not_found')
        if (after.name !== before.name) {
          await takeName(tx, owner, after.name)
          await restName(tx, owner, before.name)
        }
        return { before, after }
      })
      const renamed = before.name === after.name ? [] : keysOf({ name: before.name, port: null })
      announce(owner, after, [...keysOf(after), ...renamed])
      return presentRecord(after, config)
    },

    async remove(owner, id) {
      const record = await db.transaction().execute(async tx => {
        const deleted = await deleteRecord(tx, owner, id)
        if (deleted === undefined) throw new AppError('not_found')
        await release(tx, owner, deleted)
        return deleted
      })
      announce(owner, record, keysOf(record))
    },

    async listByDevice(owner, devices) {
      const byDevice = new Map<number, RecordRow[]>(devices.map(device => [device, []]))
      for (const record of await listRecords(db, owner, devices)) {
        byDevice.get(record.device_id)?.push(presentRecord(record, config))
      }
      return byDevice
    },

    async routeKeysOf(owner, device) {
      return (await listRecords(db, owner, [device])).flatMap(keysOf)
    },

    async releaseAll(tx, owner, device) {
      // Holds off records that are being made for the device.
      if (!(await lockDevice(tx, owner, device))) return []
      const records = await listRecords(tx, owner, [device])
      for (const record of records) await release(tx, owner, record)
      return records.flatMap(keysOf)
    },

    async findByName(name) {
      const record = await findRecordByName(db, name)
      if (record === undefined) return undefined
      return {
        id: record.id,
        owner: record.user_id,
        enabled: record.enabled === 1,
        kind: record.kind,
        access: accessOf(record),
      }
    },
  }
}

async function renameSafely<T>(update: () => Promise<T>): Promise<T> {
  try {
    return await update()
  } catch (cause) {
    throw isUniqueViolation(cause) ? new AppError('name_taken', { cause }) : cause
  }
}

const invalid = (path: string, code: string) =>
  new AppError('invalid_input', { errors: [{ path, code }] })

const wrongTarget = () => invalid('target', 'scheme')
