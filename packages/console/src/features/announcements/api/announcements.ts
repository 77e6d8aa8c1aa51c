import { listAnnouncements, profileTimeoutMs } from '@homeport/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** All announcements, oldest first. Bounded like the profile: start-up waits for them. */
export const announcementsQuery = queryOptions({
  queryKey: queryKeys.announcements,
  queryFn: ({ signal }) =>
    client.call(listAnnouncements, {}, { signal, timeoutMs: profileTimeoutMs }),
  staleTime: 5 * 60_000,
})
