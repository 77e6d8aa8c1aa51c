import { type Client, patchRecord, type RecordRow } from '@homeport/contract'
import {
  mutationOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { client } from '../../../app/api-client.ts'
import { queryKeys } from '../../../app/query-keys.ts'
import { holdRecord, refreshDevices } from '../../devices/api/device-cache.ts'

/**
 * Switches a record on or off: shown at once, put back where the server refuses. The row as it was travels with the
 * change: by the time of the refusal the component shows the guess already and knows the old row no more.
 */
export const switchRecordOptions = (queryClient: QueryClient, client: Client) =>
  mutationOptions({
    mutationFn: ({ before, enabled }: { before: RecordRow; enabled: boolean }) =>
      client.call(patchRecord, { params: { id: before.id }, body: { enabled } }),
    onMutate: async ({ before, enabled }) => {
      // An answer that was asked for before the change would flip the switch back under the finger.
      await queryClient.cancelQueries({ queryKey: queryKeys.routers })
      holdRecord(queryClient, { ...before, enabled })
    },
    onSuccess: changed => holdRecord(queryClient, changed),
    onError: (_, { before }) => holdRecord(queryClient, before),
    onSettled: () => void refreshDevices(queryClient),
  })

/** The switch of one record: how it stands, and why the last change was refused (null while none was). */
export interface RecordSwitching {
  record: RecordRow
  isPending: boolean
  error: unknown
  change: (enabled: boolean) => void
}

/** Switches a record on or off at once. */
export function useSwitchRecord(record: RecordRow): RecordSwitching {
  const queryClient = useQueryClient()
  const { mutate, isPending, error } = useMutation(switchRecordOptions(queryClient, client))
  return {
    record,
    isPending,
    error,
    change: enabled => mutate({ before: record, enabled }),
  }
}
