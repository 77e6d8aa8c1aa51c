import type { RouterRow } from '@homeport/contract'

/** Orders of the device list; the first is the default and is left out of the address. */
export const deviceOrders = ['status', 'name', 'last_seen', 'created'] as const
/** An order of the device list. */
export type DeviceOrder = (typeof deviceOrders)[number]

/** What the address of the device page keeps. */
export interface DeviceView {
  search: string
  order: DeviceOrder
}

/** Reads `?q=&sort=`; anything unknown is the default. */
export function readDeviceView(query: URLSearchParams): DeviceView {
  const sort = query.get('sort')
  return {
    search: query.get('q') ?? '',
    order: deviceOrders.find(order => order === sort) ?? deviceOrders[0],
  }
}

/** The query with a view written into it; defaults leave no trace, other keys stay. */
export function writeDeviceView(query: URLSearchParams, view: DeviceView): URLSearchParams {
  const next = new URLSearchParams(query)
  const search = view.search.trim()
  if (search === '') next.delete('q')
  else next.set('q', search)
  if (view.order === deviceOrders[0]) next.delete('sort')
  else next.set('sort', view.order)
  return next
}

/**
 * Filters and sorts the devices that are shown. It happens in the page, because all of them (500 at most) are held anyway
 * for live updates: every word must occur somewhere in what the card or its names show.
 */
export function arrangeDevices(
  devices: readonly RouterRow[],
  view: DeviceView,
  language: string,
): RouterRow[] {
  const words = view.search.toLowerCase().split(/\s+/).filter(Boolean)
  const collator = new Intl.Collator(language, { numeric: true, sensitivity: 'base' })
  return devices
    .filter(device => {
      const text = searchTextOf(device)
      return words.every(word => text.includes(word))
    })
    .sort((a, b) => compare(a, b, view.order) || collator.compare(a.name, b.name) || a.id - b.id)
}

function compare(a: RouterRow, b: RouterRow, order: DeviceOrder): number {
  if (order === 'status') return rankOf(a) - rankOf(b)
  if (order === 'last_seen') return instantOf(b.last_seen_at) - instantOf(a.last_seen_at)
  if (order === 'created') return instantOf(b.created_at) - instantOf(a.created_at)
  return 0
}

const rankOf = (device: RouterRow) => (device.status === 'online' ? 0 : 1)
const instantOf = (instant: string | null) => (instant === null ? 0 : Date.parse(instant))

const searchTextOf = (device: RouterRow): string =>
  [
    device.name,
    device.remark,
    device.model,
    device.public_ip,
    device.lan_ip,
    ...device.records.flatMap(record => [record.name, record.target, record.remark]),
  ]
    .join('\n')
    .toLowerCase()

/** Devices that were not there when somebody began to wait for a new one; newest first. */
export const findNewDevices = (
  known: ReadonlySet<number>,
  devices: readonly RouterRow[],
): RouterRow[] => devices.filter(device => !known.has(device.id)).sort((a, b) => b.id - a.id)
