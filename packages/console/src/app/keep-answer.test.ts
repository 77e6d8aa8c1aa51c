import { QueryClient, QueryObserver, queryOptions } from '@tanstack/react-query'
import { expect, it } from 'vitest'
import { keepAnswer } from './keep-answer.ts'

/** A page that shows a list, each asking for which is answered by the test; it gives up as a real call does. */
function openList() {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  const asked: { answer: (list: string[]) => void; signal: AbortSignal }[] = []
  const query = queryOptions({
    queryKey: ['list'],
    queryFn: ({ signal }) =>
      new Promise<string[]>(resolve => asked.push({ answer: resolve, signal })),
  })
  const close = new QueryObserver(queryClient, query).subscribe(() => {})
  const held = () => queryClient.getQueryData(query.queryKey)
  return { queryClient, query, asked, held, close }
}

const settle = () => new Promise(resolve => setImmediate(resolve))

it('holds what the change answered, and drops a list that was asked for before it', async () => {
  const { queryClient, query, asked, held, close } = openList()
  asked[0]?.answer(['a', 'b'])
  await expect.poll(held).toEqual(['a', 'b'])
  void queryClient.refetchQueries({ queryKey: query.queryKey })
  await expect.poll(() => asked.length).toBe(2)
  await keepAnswer(queryClient, query.queryKey, list => list.filter(name => name !== 'b'))
  asked[1]?.answer(['a', 'b'])
  await settle()
  expect([held(), asked[1]?.signal.aborted, asked.length]).toEqual([['a'], true, 2])
  close()
})

it('asks anew where the list was still on its way', async () => {
  const { queryClient, query, asked, held, close } = openList()
  const keeping = keepAnswer(queryClient, query.queryKey, list => [...list, 'c'])
  await expect.poll(() => asked.length).toBe(2)
  asked[0]?.answer(['a'])
  asked[1]?.answer(['a', 'c'])
  await keeping
  expect(held()).toEqual(['a', 'c'])
  close()
})
