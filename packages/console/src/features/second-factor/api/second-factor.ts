import {
  confirmSecondFactor,
  disableSecondFactor,
  enrolSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
} from '@homeport/contract'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'

const secondFactorQuery = queryOptions({
  queryKey: queryKeys.secondFactor,
  queryFn: ({ signal }) => client.call(getSecondFactor, {}, { signal }),
})

/** Whether two-step codes are on, and how many recovery codes are left. */
export const useSecondFactor = () => useQuery(secondFactorQuery)

/** Begins to set two-step codes up; nothing counts until a code was confirmed. */
export function useEnrol() {
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: () => withRecentSignIn(() => client.call(enrolSecondFactor, {})),
    // A secret is for the dialog that asked for it, and for no cache.
    gcTime: 0,
  })
}

/** Turns two-step codes on; every other session ends. */
export const useConfirm = () => useCodeCall(code => client.call(confirmSecondFactor, code))

/** Replaces the recovery codes. */
export const useRenew = () => useCodeCall(code => client.call(renewRecoveryCodes, code))

/** Turns two-step codes off. */
export const useDisable = () => useCodeCall(code => client.call(disableSecondFactor, code))

function useCodeCall<T>(call: (args: { body: { code: string } }) => Promise<T>) {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: (code: string) => withRecentSignIn(() => call({ body: { code } })),
    gcTime: 0,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: queryKeys.secondFactor })
      void queryClient.invalidateQueries({ queryKey: queryKeys.sessions })
    },
  })
}
