import { getRouterInfo } from '@homeport/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/** Why a name does not lead anywhere for the asker. */
export const routerInfoQuery = (domain: string) =>
  queryOptions({
    queryKey: ['router-info', domain],
    queryFn: ({ signal }) => client.call(getRouterInfo, { query: { domain } }, { signal }),
    staleTime: 0,
  })
