import { listSessions } from '@homeport/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Own live sessions, the current one first. */
export const sessionsQuery = queryOptions({
  queryKey: queryKeys.sessions,
  queryFn: ({ signal }) => client.call(listSessions, {}, { signal }),
})

/** Own live sessions, the current one first. */
export const useSessions = () => useQuery(sessionsQuery)
