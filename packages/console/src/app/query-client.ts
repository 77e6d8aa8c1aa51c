import { CallError, errorKinds, isErrorCode } from '@homeport/contract'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { queryKeys } from './query-keys.ts'

/** True where asking again may help without a change by anybody. */
export function isWorthRetrying(error: unknown): boolean {
  if (!(error instanceof CallError)) return false
  if (error.code === 'network' || error.code === 'timeout') return true
  return isErrorCode(error.code) && error.status >= 500 && errorKinds[error.code].retry !== 'never'
}

/** Makes the store of everything the server told; `onSignedOut` runs when a call finds the session gone. */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const watch = (error: unknown) => {
    if (!(error instanceof CallError) || error.code !== 'not_signed_in') return
    // Once per loss: a page's queries usually fail together.
    if (queryClient.getQueryData(queryKeys.profile) == null) return
    queryClient.setQueryData(queryKeys.profile, null)
    onSignedOut()
  }
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError: watch }),
    mutationCache: new MutationCache({ onError: watch }),
    defaultOptions: {
      queries: {
        staleTime: 10_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      },
    },
  })
  return queryClient
}
