import { endOtherSessions } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { sessionsQuery } from './list-sessions.ts'

/** Ends every own session but this one. */
export function useEndOtherSessions() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => client.call(endOtherSessions, {}),
    onSuccess: () =>
      keepAnswer(queryClient, sessionsQuery.queryKey, sessions =>
        sessions.filter(session => session.current),
      ),
  })
}
