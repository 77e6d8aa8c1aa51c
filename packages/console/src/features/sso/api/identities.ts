import { CallError, listIdentities, unlinkIdentity } from '@homeport/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { goToProvider, startLink } from './start.ts'

/** Own identities at other services, the oldest first. */
export const identitiesQuery = queryOptions({
  queryKey: queryKeys.identities,
  queryFn: ({ signal }) => client.call(listIdentities, {}, { signal }),
})

/** Own identities at other services, the oldest first. */
export const useIdentities = () => useQuery(identitiesQuery)

/** Goes to a provider to link the identity there. */
export function useLinkIdentity() {
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: async (provider: string) =>
      goToProvider(await withRecentSignIn(() => startLink(provider))),
  })
}

/** Takes an identity away; one that is gone already counts as done. */
export function useUnlinkIdentity() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: async (id: number) => {
      try {
        await withRecentSignIn(() => client.call(unlinkIdentity, { params: { id } }))
      } catch (error) {
        if (!(error instanceof CallError) || error.code !== 'not_found') throw error
      }
      return id
    },
    onSuccess: id =>
      keepAnswer(queryClient, identitiesQuery.queryKey, identities =>
        identities.filter(identity => identity.id !== id),
      ),
  })
}
