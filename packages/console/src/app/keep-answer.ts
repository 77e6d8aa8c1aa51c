import type { DataTag, QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Puts what a change answered in the place of what is held. What was asked for before the change must not come after it: it
 * is dropped, and asked for anew where nothing is held yet.
 */
export async function keepAnswer<Data>(
  queryClient: QueryClient,
  queryKey: DataTag<QueryKey, Data, Error>,
  change: (held: NoInfer<Data>) => NoInfer<Data>,
): Promise<void> {
  const filter = { queryKey, exact: true }
  await queryClient.cancelQueries(filter)
  const held: Data | undefined = queryClient.getQueryData(queryKey)
  if (held === undefined) await queryClient.invalidateQueries(filter)
  else queryClient.setQueryData<Data>(queryKey, change(held))
}
