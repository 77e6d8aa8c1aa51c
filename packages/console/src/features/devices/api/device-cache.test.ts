import type { RecordRow, RouterRow } from '@homeport/contract'
import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { changeHeldDevice, holdRecord } from './device-cache.ts'
import { routerQuery } from './get-router.ts'
import { routersQuery } from './list-routers.ts'

const record = (id: number, changes: Partial<RecordRow> = {}) =>
  ({ id, router: 1, name: `name-${id}`, enabled: true, ...changes }) as RecordRow
const device = (id: number, records: RecordRow[]) =>
  ({ id, name: `device ${id}`, records }) as RouterRow

function heldDevices() {
  const queryClient = new QueryClient()
  const results = [device(1, [record(1), record(2)]), device(2, [])]
  queryClient.setQueryData(routersQuery.queryKey, {
    count: 2,
    next: null,
    previous: null,
    results,
  })
  queryClient.setQueryData(routerQuery(queryClient, 1).queryKey, device(1, [record(1), record(2)]))
  const inList = (id: number) =>
    queryClient.getQueryData(routersQuery.queryKey)?.results.find(held => held.id === id)
  const onPage = (id: number) => queryClient.getQueryData(routerQuery(queryClient, id).queryKey)
  return { queryClient, inList, onPage }
}

describe('devices held in the page', () => {
  it('changes a record in the list and on the page of its device', () => {
    const { queryClient, inList, onPage } = heldDevices()
    holdRecord(queryClient, record(2, { enabled: false }))
    for (const held of [inList(1), onPage(1)]) {
      expect(held?.records.map(({ id, enabled }) => [id, enabled])).toEqual([
        [1, true],
        [2, false],
      ])
    }
  })

  it('adds a record that is new', () => {
    const { queryClient, inList, onPage } = heldDevices()
    holdRecord(queryClient, record(3))
    expect(inList(1)?.records).toHaveLength(3)
    expect(onPage(1)?.records.at(-1)?.id).toBe(3)
    expect(inList(2)?.records).toEqual([])
  })

  it('does not make up what was never loaded', () => {
    const { queryClient, inList, onPage } = heldDevices()
    changeHeldDevice(queryClient, 2, held => ({ ...held, name: 'renamed' }))
    expect(inList(2)?.name).toBe('renamed')
    expect(onPage(2)).toBeUndefined()
    const empty = new QueryClient()
    holdRecord(empty, record(1))
    expect(empty.getQueryData(routersQuery.queryKey)).toBeUndefined()
  })
})
