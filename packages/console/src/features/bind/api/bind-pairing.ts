import { bindPairing } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { refreshDevices } from '../../devices/api/device-cache.ts'
import { pairingKeyOf } from './get-pairing-info.ts'

/** Binds the waiting device to the own account. */
export function useBindPairing(pairing: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(bindPairing, { params: { pairing } }),
    onSuccess: () => {
      void refreshDevices(queryClient)
      // Whoever comes back to the link must not be asked once more.
      void queryClient.invalidateQueries({ queryKey: pairingKeyOf(pairing) })
    },
  })
}
