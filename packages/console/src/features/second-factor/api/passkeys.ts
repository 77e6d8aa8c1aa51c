import { CallError, deletePasskey, listPasskeys, renamePasskey } from '@homeport/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'

/** Own passkeys, the oldest first. */
export const passkeysQuery = queryOptions({
  queryKey: queryKeys.passkeys,
  queryFn: ({ signal }) => client.call(listPasskeys, {}, { signal }),
})

/** Own passkeys, the oldest first. */
export const usePasskeys = () => useQuery(passkeysQuery)

/** Gives a passkey another name. */
export function useRenamePasskey() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: number; name: string }) =>
      client.call(renamePasskey, { params: { id }, body: { name } }),
    onSuccess: renamed =>
      keepAnswer(queryClient, passkeysQuery.queryKey, passkeys =>
        passkeys.map(passkey => (passkey.id === renamed.id ? renamed : passkey)),
      ),
  })
}

/** Takes a passkey away; one that is gone already counts as done. */
export function useDeletePasskey() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: async (id: number) => {
      try {
        await withRecentSignIn(() => client.call(deletePasskey, { params: { id } }))
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'not_found') throw error
      }
      return id
    },
    onSuccess: id =>
      keepAnswer(queryClient, passkeysQuery.queryKey, passkeys =>
        passkeys.filter(passkey => passkey.id !== id),
      ),
  })
}
