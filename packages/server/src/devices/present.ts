import type { RecordRow, RouterRow } from '@homeport/contract'
import type { DeviceSession } from '@homeport/contract/control'
import type { StoredDevice } from './store.ts'

/** What the relays know of a device now. */
export interface DevicePresence {
  /** Id of the relay its session is at; null while it is offline. */
  server: number | null
  /** Its session; undefined while it is offline. */
  session: DeviceSession | undefined
}

/** An agent that was turned away asks again each minute; one that is silent for so long in ms has been stopped. */
const sharedFreshMs = 3 * 60_000

/** A device as its owner sees it; a device that is online was seen at this moment. */
export function presentDevice(
  device: StoredDevice,
  records: RecordRow[],
  presence: DevicePresence,
  now: number,
): RouterRow {
  const isOnline = presence.server !== null
  const sharedAt = presence.session?.shared_at ?? Number.NEGATIVE_INFINITY
  const lastSeenAt = isOnline ? now : device.last_seen_at
  return {
    id: device.id,
    uid: device.uid,
    name: device.name,
    remark: device.remark,
    model: device.model,
    agent: device.agent,
    agent_version: device.agent_version,
    status: isOnline ? 'online' : 'offline',
    server: presence.server,
    public_ip: device.public_ip,
    lan_ip: device.lan_ip,
    last_seen_at: lastSeenAt === null ? null : new Date(lastSeenAt).toISOString(),
    is_key_shared: now - sharedAt < sharedFreshMs,
    active_plan: null,
    longest_plan_due_date: null,
    has_active_non_free_plan: false,
    paused: device.paused === 1,
    records,
    created_at: new Date(device.created_at).toISOString(),
  }
}

/** A user name for strangers: its first character and a star. */
export const maskName = (name: string): string => `${[...name][0] ?? ''}*`
