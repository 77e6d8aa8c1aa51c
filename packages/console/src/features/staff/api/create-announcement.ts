import { type CallArguments, createAnnouncement } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Publishes an announcement. */
export function useCreateAnnouncement() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: CallArguments<typeof createAnnouncement>['body']) =>
      client.call(createAnnouncement, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: queryKeys.announcements }),
  })
}
