import { createInvite } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Makes a sign-up link; the answer alone carries its address. */
export function useCreateInvite() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { remark: string; days: number }) => client.call(createInvite, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.invites }),
  })
}
