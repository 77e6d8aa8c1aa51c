import { getPairingInfo } from '@homeport/contract'
import { useQuery } from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'

/** Key of what is held of a pairing request. */
export const pairingKeyOf = (pairing: string) => ['pairing', pairing] as const

/** What the device that waits to be bound says of itself. */
export const usePairingInfo = (pairing: string) =>
  useQuery({
    queryKey: pairingKeyOf(pairing),
    queryFn: ({ signal }) => client.call(getPairingInfo, { query: { pairing } }, { signal }),
    enabled: pairing !== '',
  })
