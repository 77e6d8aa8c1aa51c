import { deleteRecord, type RecordRow } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { changeHeldDevice, refreshDevices } from '../../devices/api/device-cache.ts'

/** Takes a record back. */
export function useDeleteRecord(record: RecordRow) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(deleteRecord, { params: { id: record.id } }),
    onSuccess: () => {
      changeHeldDevice(queryClient, record.router, device => ({
        ...device,
        records: device.records.filter(held => held.id !== record.id),
      }))
      void refreshDevices(queryClient)
    },
  })
}
