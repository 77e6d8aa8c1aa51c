import { resetToken } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { profileQuery } from '../../sign-in/api/profile.ts'

/** Replaces the enrolment token; asks for the password where the sign-in is older than 10 minutes. */
export function useResetToken() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: () => withRecentSignIn(() => client.call(resetToken, {})),
    onSuccess: profile => keepAnswer(queryClient, profileQuery.queryKey, () => profile),
  })
}
