import { getOwnAccount } from '@homeport/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** What hangs on the own account; asked for anew whenever it is shown, so that a dialog tells what is true now. */
export const ownAccountQuery = queryOptions({
  queryKey: queryKeys.ownAccount,
  queryFn: ({ signal }) => client.call(getOwnAccount, {}, { signal }),
  staleTime: 0,
})

/** What hangs on the own account. */
export const useOwnAccount = () => useQuery(ownAccountQuery)
