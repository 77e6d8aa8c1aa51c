import { getSettings, profileTimeoutMs, type Settings } from '@homeport/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** What this deployment offers. Bounded like the profile: start-up waits for it before anything is shown. */
export const settingsQuery = queryOptions({
  queryKey: queryKeys.settings,
  queryFn: ({ signal }) => client.call(getSettings, {}, { signal, timeoutMs: profileTimeoutMs }),
  staleTime: 5 * 60_000,
})

/** What this deployment offers; undefined while unknown. */
export const useSettings = (): Settings | undefined => useQuery(settingsQuery).data
