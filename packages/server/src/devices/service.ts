import type {
  CallInput,
  getRouterInfo,
  listRouters,
  patchRouter,
  RouterRow,
} from '@homeport/contract'
import type { z } from 'zod'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import { labelUnder } from '../records/name-urls.ts'
import { accessOf } from '../records/present.ts'
import type { RecordService } from '../records/service.ts'
import type { RelayHub } from '../relays/hub.ts'
import { decideReason } from './policy.ts'
import { maskName, presentDevice } from './present.ts'
import {
  deleteDevice,
  findDevice,
  findName,
  listDevices,
  lockOwner,
  type StoredDevice,
  updateDevice,
} from './store.ts'

type NameInfo = z.output<(typeof getRouterInfo)['responses'][200]>
type DeviceList = z.output<(typeof listRouters)['responses'][200]>

/** Rules of devices that are bound. */
export interface DeviceService {
  list(owner: UserId, query: CallInput<typeof listRouters>['query']): Promise<DeviceList>
  patch(
    owner: UserId,
    id: number,
    change: CallInput<typeof patchRouter>['body'],
  ): Promise<RouterRow>
  /** Unbinds: links end at once and the key opens nothing any more. */
  remove(owner: UserId, id: number): Promise<void>
  present(owner: UserId, device: StoredDevice): Promise<RouterRow>
  /** What may be told of `domain` (a host, with or without a port) to whoever asks. */
  describeName(asker: UserId, domain: string): Promise<NameInfo>
}

/** Makes the rules of devices. */
export function createDeviceService(
  { db, clock, config, bus }: Pick<ServerContext, 'db' | 'clock' | 'config' | 'bus'>,
  records: RecordService,
  hub: Pick<RelayHub, 'revokeDevice' | 'routesChanged' | 'serverOf' | 'sessionOf' | 'isOnline'>,
): DeviceService {
  const presentWith = (device: StoredDevice, own: RouterRow['records']) =>
    presentDevice(
      device,
      own,
      { server: hub.serverOf(device.uid), session: hub.sessionOf(device.uid) },
      clock.now(),
    )

  async function present(owner: UserId, device: StoredDevice): Promise<RouterRow> {
    const own = await records.listByDevice(owner, [device.id])
    return presentWith(device, own.get(device.id) ?? [])
  }

  return {
    present,

    async list(owner, query) {
      const { count, rows } = await listDevices(db, owner, query)
      const own = await records.listByDevice(
        owner,
        rows.map(({ id }) => id),
      )
      return {
        count,
        next:
          query.offset + rows.length < count && rows.length > 0
            ? pageUrl(query, query.offset + query.limit)
            : null,
        previous: query.offset > 0 ? pageUrl(query, Math.max(0, query.offset - query.limit)) : null,
        results: rows.map(row => presentWith(row, own.get(row.id) ?? [])),
      }
    },

    async patch(owner, id, { name, remark, paused }) {
      const change = {
        ...(name === undefined ? {} : { name }),
        ...(remark === undefined ? {} : { remark }),
        ...(paused === undefined ? {} : { paused: paused ? 1 : 0 }),
      }
      const isChange = Object.keys(change).length > 0
      const after = await (isChange
        ? updateDevice(db, owner, id, change)
        : findDevice(db, owner, id))
      if (after === undefined) throw new AppError('not_found')
      if (paused !== undefined) hub.routesChanged(await records.routeKeysOf(owner, id))
      // Ends what flows now. The device may connect again, but nothing leads to it while it is paused.
      if (paused === true) hub.revokeDevice(after.uid, 'paused')
      bus.emit(owner, { type: 'router_changed', id })
      return present(owner, after)
    },

    async remove(owner, id) {
      const { device, keys } = await db.transaction().execute(async tx => {
        // First the account, as in pairing: locks are always taken in one order.
        await lockOwner(tx, owner)
        const keys = await records.releaseAll(tx, owner, id)
        const device = await deleteDevice(tx, owner, id)
        if (device === undefined) throw new AppError('not_found')
        return { device, keys }
      })
      hub.revokeDevice(device.uid, 'deleted')
      hub.routesChanged(keys)
      bus.emit(owner, { type: 'router_changed', id })
    },

    async describeName(asker, domain) {
      const host = domain.replace(/:\d{1,5}$/, '').replace(/\.$/, '')
      const label = labelUnder(host, config.tunnelDomain)
      const name = label === null ? undefined : await findName(db, label)
      if (name === undefined) return describeUnknown(domain)
      const isOwner = name.owner === asker
      const online = hub.isOnline(name.uid)
      const access = accessOf(name)
      const facts = { enabled: name.enabled === 1, paused: name.paused === 1, online, access }
      const reason = decideReason(facts, isOwner)
      if (reason === 'unknown') return describeUnknown(domain)
      return {
        domain,
        reason,
        device_name: name.device_name,
        owner: isOwner ? name.username : maskName(name.username),
        online,
        access,
        router: isOwner ? name.device : null,
        record: isOwner ? name.record : null,
      }
    },
  }
}

const describeUnknown = (domain: string): NameInfo => ({
  domain,
  reason: 'unknown',
  device_name: null,
  owner: null,
  online: null,
  access: [],
  router: null,
  record: null,
})

function pageUrl(query: CallInput<typeof listRouters>['query'], offset: number): string {
  const text = new URLSearchParams()
  for (const [key, value] of Object.entries({ ...query, offset })) {
    if (value !== undefined && value !== '') text.set(key, String(value))
  }
  return `/api/user/routers/?${text}`
}
