import { listOutbox } from '@homeport/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Often enough that a code is there when its reader looks. */
const refreshMs = 2_000

/** What the server would have sent, newest first; asked for again while it is looked at. */
export const outboxQuery = queryOptions({
  queryKey: queryKeys.outbox,
  queryFn: ({ signal }) => client.call(listOutbox, {}, { signal }),
  refetchInterval: refreshMs,
  gcTime: 0,
})
