import { listRouters, type RouterRow } from '@homeport/contract'
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { routersQuery } from './list-routers.ts'

const pollingMs = 15_000

/** One own device, null where there is none of that id. The list's row stands in until the answer comes. */
export const routerQuery = (queryClient: QueryClient, id: number) =>
  queryOptions({
    queryKey: [...queryKeys.routers, id],
    queryFn: async ({ signal }): Promise<RouterRow | null> => {
      const page = await client.call(listRouters, { query: { id } }, { signal })
      return page.results[0] ?? null
    },
    placeholderData: () =>
      queryClient.getQueryData(routersQuery.queryKey)?.results.find(device => device.id === id),
    refetchInterval: pollingMs,
  })

/** One own device, kept fresh. */
export const useRouter = (id: number) => useQuery(routerQuery(useQueryClient(), id))
