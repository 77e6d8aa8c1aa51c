import { type CallArguments, createRecord } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { holdRecord, refreshDevices } from '../../devices/api/device-cache.ts'

/** Publishes something of a device under a name. */
export function useCreateRecord() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallArguments<typeof createRecord>['body']) =>
      client.call(createRecord, { body }),
    onSuccess: record => {
      holdRecord(queryClient, record)
      void refreshDevices(queryClient)
    },
  })
}
