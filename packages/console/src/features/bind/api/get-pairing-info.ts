import { getPairingInfo } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/** What the device that waits to be bound says of itself. */
export const usePairingInfo = (pairing: string) =>
  useQuery({
    queryKey: ['pairing', pairing],
    queryFn: ({ signal }) => client.call(getPairingInfo, { query: { pairing } }, { signal }),
    enabled: pairing !== '',
  })
