import { once } from 'node:events'
import { connect } from 'node:net'
import { createManualClock } from '@homeport/runtime/testing'
import { expect, test } from 'vitest'
import type { RelayConfig } from '../config.ts'
import { createBench, whenDone } from '../testing/bench.ts'
import { createOpenings } from './openings.ts'

const dead = 'http://192.168.1.66:80'

/** A relay whose record `dead` has a target that is switched off; `knock` asks for it and waits. */
async function createStuckBench(limits: NonNullable<RelayConfig['limits']>) {
  const bench = await createBench({ limits })
  bench.server.setRoute(bench.route({ host: 'dead.localhost', record: 8, target: dead }))
  bench.server.setRoute(bench.route({ host: 'other.localhost', record: 9, owner: 2 }))
  bench.server.setRoute(bench.route())
  const link = await bench.link({ hang: dead })
  async function knock() {
    const visitor = connect(bench.port, '127.0.0.1')
    whenDone(() => visitor.destroy())
    const known = link.targets.length
    visitor.write('GET / HTTP/1.1\r\nHost: dead.localhost\r\n\r\n')
    await expect.poll(() => link.targets.length).toBe(known + 1)
    return visitor
  }
  return { ...bench, knock }
}

const codeOf = (answer: { body: string }) => JSON.parse(answer.body).code

test('targets of one owner that do not answer hold up no other owner', async () => {
  const bench = await createStuckBench({
    links: { openingsPerOwner: 2 },
    door: { waitingRequests: 3 },
  })
  await bench.knock()
  await bench.knock()
  const refused = await bench.visit('nas.localhost')
  expect([refused.status, codeOf(refused)]).toEqual([503, 'busy'])
  expect((await bench.visit('other.localhost')).status).toBe(200)
})

test('the console is reached while every waiting place is taken', async () => {
  const bench = await createStuckBench({ door: { waitingRequests: 1 } })
  await bench.knock()
  expect(codeOf(await bench.visit('other.localhost'))).toBe('busy')
  expect((await bench.visit('localhost', '/api/login_status/')).status).toBe(200)
})

test('a place is free again when its visitor has gone', async () => {
  const bench = await createStuckBench({ links: { openingsPerOwner: 1 } })
  const visitor = await bench.knock()
  expect(codeOf(await bench.visit('nas.localhost'))).toBe('busy')
  visitor.resetAndDestroy()
  await once(visitor, 'close')
  await expect.poll(async () => (await bench.visit('nas.localhost')).status).toBe(200)
})

test('a record whose target swallows connections leaves its owner’s other records room', async () => {
  const bench = await createStuckBench({
    links: { openingsPerOwner: 4, slowOpeningsPerRecord: 1, slowOpeningMs: 30 },
  })
  await bench.knock()
  // The second becomes slow while the first one is: it is given up long before its target's time is over.
  const second = await bench.visit('dead.localhost')
  expect([second.status, second.headers['retry-after'], codeOf(second)]).toEqual([503, '5', 'busy'])
  // From then on nobody else waits for that target, and all four places of the owner but one are free.
  expect(codeOf(await bench.visit('dead.localhost'))).toBe('busy')
  expect((await bench.visit('nas.localhost')).status).toBe(200)
})

test('many who come at once to a target that answers are not slow', async () => {
  const bench = await createStuckBench({ links: { slowOpeningsPerRecord: 1 } })
  const visits = Array.from({ length: 40 }, () => bench.visit('nas.localhost'))
  const statuses = (await Promise.all(visits)).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('a slow opening is forgotten when it ends', async () => {
  const bench = await createStuckBench({ links: { slowOpeningsPerRecord: 1, slowOpeningMs: 1 } })
  for (let round = 0; round < 3; round += 1) {
    const visitor = await bench.knock()
    await expect.poll(async () => (await bench.visit('dead.localhost')).status).toBe(503)
    visitor.resetAndDestroy()
    await once(visitor, 'close')
  }
  const visitor = await bench.knock()
  expect(visitor.destroyed).toBe(false)
})

test('of those who wait when the target turns out slow, only so many stay', async () => {
  const clock = createManualClock()
  const limits = { openingsPerOwner: 9, slowOpeningsPerRecord: 2, slowOpeningMs: 1_000 }
  const openings = createOpenings(limits, clock)
  const signals: AbortSignal[] = []
  const gone = new AbortController()
  const wait = (record: number) =>
    openings.count({ owner: 1, record }, gone.signal, signal => {
      signals.push(signal)
      return new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('given up')))
      })
    })
  const waiting = [wait(8), wait(8), wait(8), wait(9)].map(opening => opening.catch(String))
  clock.advance(1_000)
  expect(await waiting[2]).toContain('too many targets have not answered yet')
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true, false])
  await expect(wait(8)).rejects.toMatchObject({ code: 'stream_limit' })
  expect(signals).toHaveLength(4)
  wait(9).catch(() => undefined)
  expect(signals).toHaveLength(5)
  // Whoever waited and leaves is told what ended the waiting.
  gone.abort()
  expect(await waiting[0]).toBe('Error: given up')
  wait(8).catch(() => undefined)
  expect(signals).toHaveLength(6)
})
