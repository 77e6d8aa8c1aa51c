import { type CallInput, patchProfile } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { profileQuery } from '../../sign-in/api/profile.ts'

/** Changes the own profile; asks for the password where the change and the age of the sign-in want it. */
export function usePatchProfile(id: number) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: (body: CallInput<typeof patchProfile>['body']) =>
      withRecentSignIn(() => client.call(patchProfile, { params: { id }, body })),
    onSuccess: async profile => {
      await keepAnswer(queryClient, profileQuery.queryKey, () => profile)
      void queryClient.invalidateQueries({ queryKey: queryKeys.ownAccount })
    },
  })
}
