import type { RecordRow, RouterRow } from '@homeport/contract'
import type { QueryClient } from '@tanstack/react-query'
import { queryKeys } from '../../../app/query-keys.ts'
import { routerQuery } from './get-router.ts'
import { routersQuery } from './list-routers.ts'

/** Changes one device wherever it is held: in the list and on its own page. */
export function changeHeldDevice(
  queryClient: QueryClient,
  id: number,
  change: (device: RouterRow) => RouterRow,
): void {
  queryClient.setQueryData(routersQuery.queryKey, page =>
    page === undefined
      ? undefined
      : {
          ...page,
          results: page.results.map(device => (device.id === id ? change(device) : device)),
        },
  )
  queryClient.setQueryData(routerQuery(queryClient, id).queryKey, device =>
    device == null ? device : change(device),
  )
}

/** Puts a record into the device that holds it, in place of the one with its id or behind the others. */
export function holdRecord(queryClient: QueryClient, record: RecordRow): void {
  changeHeldDevice(queryClient, record.router, device => ({
    ...device,
    records: device.records.some(held => held.id === record.id)
      ? device.records.map(held => (held.id === record.id ? record : held))
      : [...device.records, record],
  }))
}

/** Asks for all devices anew, after a change or a failed guess. */
export const refreshDevices = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: queryKeys.routers })
