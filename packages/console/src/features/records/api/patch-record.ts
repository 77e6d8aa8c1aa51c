import { type CallInput, patchRecord, type RecordRow } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { holdRecord, refreshDevices } from '../../devices/api/device-cache.ts'

/** Changes a record. */
export function usePatchRecord(record: Pick<RecordRow, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof patchRecord>['body']) =>
      client.call(patchRecord, { params: { id: record.id }, body }),
    onSuccess: changed => {
      holdRecord(queryClient, changed)
      return refreshDevices(queryClient)
    },
  })
}

/** Switches a record on or off: shown at once, put back where the server refuses. */
export function useSwitchRecord(record: RecordRow) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (enabled: boolean) =>
      client.call(patchRecord, { params: { id: record.id }, body: { enabled } }),
    onMutate: async enabled => {
      // An answer that was asked for before the change would flip the switch back under the finger.
      await queryClient.cancelQueries({ queryKey: queryKeys.routers })
      holdRecord(queryClient, { ...record, enabled })
    },
    onSuccess: changed => holdRecord(queryClient, changed),
    onError: () => holdRecord(queryClient, record),
    onSettled: () => refreshDevices(queryClient),
  })
}
