import { CallError, type Client, type RecordRow, type RouterRow } from '@homeport/contract'
import { MutationObserver, QueryClient } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { routersQuery } from '../../devices/api/list-routers.ts'
import { switchRecordOptions } from './switch-record.ts'

const before = { id: 5, router: 1, name: 'nas', enabled: true } as RecordRow

/** Switches `before` off against a server that answers by `answer`; gives what the page held on the way. */
async function switchOff(answer: () => Promise<unknown>) {
  const queryClient = new QueryClient()
  const results = [{ id: 1, records: [before] } as RouterRow]
  queryClient.setQueryData(routersQuery.queryKey, { count: 1, next: null, previous: null, results })
  const held = () =>
    queryClient.getQueryData(routersQuery.queryKey)?.results[0]?.records[0]?.enabled
  let whileAsking: boolean | undefined
  const client = {
    call: () => {
      whileAsking = held()
      return answer()
    },
  } as unknown as Client
  const observer = new MutationObserver(queryClient, switchRecordOptions(queryClient, client))
  const failure = await observer.mutate({ before, enabled: false }).then(
    () => undefined,
    (error: unknown) => error,
  )
  return { whileAsking, after: held(), failure }
}

it('shows the change before the server has answered', async () => {
  const { whileAsking, after } = await switchOff(async () => ({ ...before, enabled: false }))
  expect(whileAsking).toBe(false)
  expect(after).toBe(false)
})

it('puts the switch back where the server refuses', async () => {
  const refusal = new CallError('internal', { detail: 'not shown', status: 500 })
  const { whileAsking, after, failure } = await switchOff(() => Promise.reject(refusal))
  expect(whileAsking).toBe(false)
  expect(after).toBe(true)
  expect(failure).toBe(refusal)
})
