import { deleteRouter } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { routersQuery } from './list-routers.ts'

/** Unbinds a device: it leaves the list at once. */
export function useDeleteRouter(id: number) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(deleteRouter, { params: { id } }),
    onSuccess: async () => {
      await keepAnswer(queryClient, routersQuery.queryKey, page => ({
        ...page,
        count: page.count - 1,
        results: page.results.filter(device => device.id !== id),
      }))
      // Its own page is left now; asking for the row there once more would show "not found" on the way out.
      void queryClient.invalidateQueries({ queryKey: queryKeys.routers, refetchType: 'none' })
    },
  })
}
