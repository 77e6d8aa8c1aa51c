import { addPasskey, beginPasskey } from '@homeport/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { keepAnswer } from '../../../app/keep-answer.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { createPasskey } from '../ceremony.ts'
import { passkeysQuery } from './passkeys.ts'

/** Asks the authenticator for a passkey and adds it; `second_factor_required` where a two-step code has to come along. */
export function useAddPasskey() {
  const queryClient = useQueryClient()
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: ({ name, code }: { name: string; code: string }) =>
      withRecentSignIn(async () => {
        const body = code === '' ? {} : { second_factor: code }
        const { options } = await client.call(beginPasskey, { body })
        const response = await createPasskey(options)
        return client.call(addPasskey, { body: { name, response } })
      }),
    onSuccess: added =>
      keepAnswer(queryClient, passkeysQuery.queryKey, passkeys => [...passkeys, added]),
    // A recovery code may have been used up, whatever came of the rest.
    onSettled: () => void queryClient.invalidateQueries({ queryKey: queryKeys.secondFactor }),
  })
}
