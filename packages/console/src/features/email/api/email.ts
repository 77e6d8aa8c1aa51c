import { cancelEmail, confirmEmail, patchOwnProfile, resendEmail } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { profileQuery } from '../../sign-in/api/profile.ts'

/** Asks anew for all that shows the address. */
function useRefresh() {
  const queryClient = useQueryClient()
  return async () => {
    await queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
    await queryClient.invalidateQueries({ queryKey: queryKeys.ownAccount })
  }
}

/** Lets an address wait for its link, or with '' removes the present one. */
export function useChangeEmail() {
  const withRecentSignIn = useRecentSignIn()
  const onSuccess = useRefresh()
  return useMutation({
    mutationFn: (email: string) =>
      withRecentSignIn(() => client.call(patchOwnProfile, { body: { email } })),
    onSuccess,
  })
}

/** Sends another link to the address that waits. */
export function useResendEmail() {
  const onSuccess = useRefresh()
  return useMutation({ mutationFn: () => client.call(resendEmail, {}), onSuccess })
}

/** Forgets the address that waits. */
export function useCancelEmail() {
  const onSettled = useRefresh()
  return useMutation({ mutationFn: () => client.call(cancelEmail, {}), onSettled })
}

/** Confirms the address that waits, with the token of its link. */
export function useConfirmEmail() {
  const onSettled = useRefresh()
  return useMutation({
    mutationFn: (token: string) => client.call(confirmEmail, { body: { token } }),
    onSettled,
  })
}
