import { listRouters } from '@homeport/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

// Live events make this quick; asking every 15 s is for the time without them. Hidden pages do not ask.
const pollingMs = 15_000

/** All own devices with their records: 500 is the most an account may have, so one page holds them. */
export const routersQuery = queryOptions({
  queryKey: queryKeys.routers,
  queryFn: ({ signal }) =>
    client.call(listRouters, { query: { limit: 500, ordering: 'name' } }, { signal }),
  refetchInterval: pollingMs,
})

/** All own devices with their records, kept fresh. */
export const useRouters = () => useQuery(routersQuery)
