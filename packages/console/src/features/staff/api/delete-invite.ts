import { deleteInvite } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Takes an unused sign-up link back. */
export function useDeleteInvite() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => client.call(deleteInvite, { params: { id } }),
    // Also after a failure: a link that was used meanwhile is then shown as used.
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.invites }),
  })
}
