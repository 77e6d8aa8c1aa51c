import type { Server } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { measureLatency } from '../latency.ts'

/** Round trip from this browser to a relay in ms; null where it was not reached. `refetch` measures again. */
export const useLatency = (server: Server) =>
  useQuery({
    queryKey: ['latency', server.id, server.latency_url],
    queryFn: ({ signal }) =>
      measureLatency(
        server.latency_url,
        { fetch: (...args) => globalThis.fetch(...args), nowMs: () => performance.now() },
        signal,
      ),
    enabled: server.online,
    staleTime: 60_000,
    retry: false,
  })
