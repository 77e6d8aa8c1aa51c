import { type CallInput, patchRouter } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { changeHeldDevice, refreshDevices } from './device-cache.ts'

/** Renames, remarks, pauses or wakes a device. */
export function usePatchRouter(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallInput<typeof patchRouter>['body']) =>
      client.call(patchRouter, { params: { id }, body }),
    onSuccess: device => changeHeldDevice(queryClient, id, () => device),
    onSettled: () => void refreshDevices(queryClient),
  })
}
