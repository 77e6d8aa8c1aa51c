import { checkDomainConnection, type RecordRow } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/**
 * Probes a record through the relay as long as the caller is shown. Never kept: the state of a line of a minute ago
 * is no answer; `refetch` probes again.
 */
export const useConnectionCheck = (record: RecordRow) =>
  useQuery({
    queryKey: ['connection-check', record.id],
    queryFn: ({ signal }) =>
      client.call(
        checkDomainConnection,
        { params: { id: record.router }, body: { record: record.id } },
        { signal },
      ),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
