import { listServers } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'

/** Relays a device can use. */
export const useServers = () =>
  useQuery({
    queryKey: queryKeys.servers,
    queryFn: ({ signal }) => client.call(listServers, {}, { signal }),
    refetchInterval: 30_000,
  })
