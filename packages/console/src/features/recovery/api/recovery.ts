import {
  type CallArguments,
  readResetLink,
  resetPasswordByLink,
  sendResetLink,
} from '@homeport/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Asks for a link by mail; the answer is the same whether an account has the address. */
export const askForLink = (body: CallArguments<typeof sendResetLink>['body']) =>
  client.call(sendResetLink, { body })

/** Whose link it is. It is asked for once: a link that was used meanwhile shows when its password is sent. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: [...queryKeys.resetLink, token],
    queryFn: ({ signal }) => client.call(readResetLink, { body: { token } }, { signal }),
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Sets a new password with the token of a link; gives the username to sign in with. */
export const resetByLink = (body: CallArguments<typeof resetPasswordByLink>['body']) =>
  client.call(resetPasswordByLink, { body })
