import type { RecordRow, RouterRow } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import { arrangeDevices, findNewDevices, readDeviceView, writeDeviceView } from './device-list.ts'

const device = (id: number, changes: Partial<RouterRow>): RouterRow => ({
  id,
  uid: `u${id}`,
  name: `device ${id}`,
  remark: '',
  model: '',
  agent: 'homeport-agent',
  agent_version: '0.1.0',
  status: 'offline',
  server: null,
  public_ip: '',
  lan_ip: '',
  last_seen_at: null,
  is_key_shared: false,
  active_plan: null,
  longest_plan_due_date: null,
  has_active_non_free_plan: false,
  paused: false,
  records: [],
  created_at: '2026-11-20T10:00:00.000Z',
  ...changes,
})
const record = { name: 'photos', target: 'http://192.168.1.9:2342', remark: '相册' } as RecordRow

const devices = [
  device(1, { name: 'nas 10', last_seen_at: '2026-11-20T09:00:00.000Z' }),
  device(2, { name: 'nas 2', status: 'online', created_at: '2026-11-20T11:00:00.000Z' }),
  device(3, { name: '路由器', lan_ip: '192.168.1.1', records: [record] }),
]
const idsIn = (search: string, order: 'status' | 'name' | 'last_seen' | 'created' = 'name') =>
  arrangeDevices(devices, { search, order }, 'zh-CN').map(found => found.id)

describe('arrangeDevices', () => {
  it('finds every word, in any field and in its names', () => {
    expect(idsIn('NAS 10')).toEqual([1])
    expect(idsIn('192.168.1.1')).toEqual([3])
    expect(idsIn('相册')).toEqual([3])
    expect(idsIn('photos nas')).toEqual([])
  })

  it('sorts names by their numbers', () => {
    expect(idsIn('nas')).toEqual([2, 1])
  })

  it('sorts by status, by when it was seen and by age', () => {
    expect(idsIn('', 'status')[0]).toBe(2)
    expect(idsIn('', 'last_seen')[0]).toBe(1)
    expect(idsIn('', 'created')[0]).toBe(2)
  })

  it('leaves its input as it was', () => {
    idsIn('', 'status')
    expect(devices.map(({ id }) => id)).toEqual([1, 2, 3])
  })
})

describe('the view in the address', () => {
  it('reads and writes back', () => {
    const query = new URLSearchParams('q=nas&sort=created&add=1')
    expect(readDeviceView(query)).toEqual({ search: 'nas', order: 'created' })
    expect(writeDeviceView(query, { search: ' ', order: 'status' }).toString()).toBe('add=1')
    expect(
      writeDeviceView(new URLSearchParams(), { search: 'a b', order: 'name' }).toString(),
    ).toBe('q=a+b&sort=name')
  })

  it('takes an unknown order for the default', () => {
    expect(readDeviceView(new URLSearchParams('sort=evil'))).toEqual({
      search: '',
      order: 'status',
    })
  })
})

describe('findNewDevices', () => {
  it('finds what came while waiting, newest first', () => {
    expect(findNewDevices(new Set([2]), devices).map(({ id }) => id)).toEqual([3, 1])
    expect(findNewDevices(new Set([1, 2, 3]), devices)).toEqual([])
  })
})
