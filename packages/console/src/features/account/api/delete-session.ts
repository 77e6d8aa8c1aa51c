import { CallError, deleteSession } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { sessionsQuery } from './list-sessions.ts'

/** Ends one of the own sessions; one that is gone already counts as ended. */
export function useDeleteSession() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: async (id: number) => {
      try {
        await client.call(deleteSession, { params: { id } })
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'not_found') throw error
      }
      return id
    },
    onSuccess: id =>
      keepAnswer(queryClient, sessionsQuery.queryKey, sessions =>
        sessions.filter(session => session.id !== id),
      ),
  })
}
