import { signToken } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/** A signed token for one device, while the wizard shows it. Never shared between openings: it works once. */
export const useSignedToken = (opening: string) =>
  useQuery({
    queryKey: ['signed-token', opening],
    queryFn: ({ signal }) => client.call(signToken, {}, { signal }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
