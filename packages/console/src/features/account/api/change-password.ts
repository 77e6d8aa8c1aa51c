import { type CallArguments, changePassword } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'

/** Changes the own password; every other session ends, so the list of sessions is asked for anew. */
export function useChangePassword() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: (body: CallArguments<typeof changePassword>['body']) =>
      withRecentSignIn(() => client.call(changePassword, { body })),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions })
      // The first password: from now on the old one is asked for.
      void queryClient.invalidateQueries({ queryKey: queryKeys.profile })
    },
  })
}
