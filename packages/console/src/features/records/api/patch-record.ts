import { type CallInput, patchRecord, type RecordRow } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { holdRecord, refreshDevices } from '../../devices/api/device-cache.ts'

/** Changes a record. */
export function usePatchRecord(record: Pick<RecordRow, 'id'>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof patchRecord>['body']) =>
      client.call(patchRecord, { params: { id: record.id }, body }),
    onSuccess: changed => {
      holdRecord(queryClient, changed)
      void refreshDevices(queryClient)
    },
  })
}
