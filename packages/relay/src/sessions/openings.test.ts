import { expect, test } from 'vitest'
import { createBench } from '../testing/bench.ts'

const dead = 'http://192.168.1.66:80'

test('targets of one owner that do not answer hold up neither other owners nor the console', async () => {
  const bench = await createBench({
    limits: { links: { openingsPerOwner: 2 }, door: { waitingRequests: 2 } },
  })
  bench.server.setRoute(bench.route({ host: 'dead.localhost', record: 8, target: dead }))
  bench.server.setRoute(bench.route({ host: 'other.localhost', record: 9, owner: 2 }))
  const link = await bench.link({ hang: dead })
  const waiting = [bench.visit('dead.localhost'), bench.visit('dead.localhost')]
  for (const visit of waiting) visit.catch(() => undefined)
  await expect.poll(() => link.targets.length).toBe(2)

  const refused = await bench.visit('dead.localhost')
  expect([refused.status, JSON.parse(refused.body).code]).toEqual([503, 'busy'])
  expect((await bench.visit('localhost', '/api/login_status/')).status).toBe(200)
})

test('a place is free again when its visitor has gone', async () => {
  const bench = await createBench({ limits: { links: { openingsPerOwner: 1 } } })
  bench.server.setRoute(bench.route({ host: 'dead.localhost', record: 8, target: dead }))
  bench.server.setRoute(bench.route({ host: 'live.localhost', record: 9 }))
  const link = await bench.link({ hang: dead })
  const gone = new AbortController()
  const visit = fetch(`http://127.0.0.1:${bench.port}/`, { signal: gone.signal }).catch(() => 0)
  void visit
  expect(link.targets).toEqual([])
  gone.abort()
  expect((await bench.visit('live.localhost')).status).toBe(200)
})
