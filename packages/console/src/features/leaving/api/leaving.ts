import {
  type CallArguments,
  exportOwnData,
  getRestoration,
  leave,
  restoreAccount,
} from '@homeport/contract'
import { queryOptions, useMutation } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { useRecentSignIn } from '../../../ui/Reauthenticate.tsx'
import { saveFile } from '../../../ui/save-file.ts'

/** Saves a copy of the own data as a file; asks for the password where the sign-in is not recent. */
export function useExport() {
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: () => withRecentSignIn(() => client.call(exportOwnData, {})),
    onSuccess: data => {
      const day = data.exported_at.slice(0, 10)
      const text = `${JSON.stringify(data, null, 2)}\n`
      saveFile(`homeport-${day}.json`, new Blob([text], { type: 'application/json' }))
    },
  })
}

/** Lets the own account leave; the session is gone with the answer. */
export function useLeave() {
  const withRecentSignIn = useRecentSignIn()
  return useMutation({
    mutationFn: (body: CallArguments<typeof leave>['body']) =>
      withRecentSignIn(() => client.call(leave, { body })),
  })
}

/** The account that this browser has just signed in to, and when it is deleted. */
export const restorationQuery = queryOptions({
  queryKey: queryKeys.restoration,
  queryFn: ({ signal }) => client.call(getRestoration, {}, { signal }),
  retry: false,
  gcTime: 0,
})

/** Restores that account and signs in. */
export const useRestore = () => useMutation({ mutationFn: () => client.call(restoreAccount, {}) })
