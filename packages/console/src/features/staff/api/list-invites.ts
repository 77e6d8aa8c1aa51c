import { listInvites } from '@homeport/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** The newest 100 invitations of staff. */
export const invitesQuery = queryOptions({
  queryKey: queryKeys.invites,
  queryFn: ({ signal }) => client.call(listInvites, {}, { signal }),
})
