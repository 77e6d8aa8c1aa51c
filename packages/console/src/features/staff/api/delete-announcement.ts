import { deleteAnnouncement } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Takes an announcement back. */
export function useDeleteAnnouncement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: number) => client.call(deleteAnnouncement, { params: { id } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: queryKeys.announcements }),
  })
}
