import { expect, it } from 'vitest'
import { measureLatency, rateLatency } from './latency.ts'

const never = new AbortController().signal

/** A network whose requests take the given times in ms, one after the other; `null` fails. */
function networkOf(times: (number | null)[]) {
  let clockMs = 0
  const waiting = [...times]
  const seen: RequestInit[] = []
  const probe = {
    nowMs: () => clockMs,
    fetch: async (_: unknown, init?: RequestInit) => {
      seen.push(init ?? {})
      const ms = waiting.shift()
      if (ms === null || ms === undefined) throw new TypeError('refused')
      clockMs += ms
      return new Response(null, { status: 204 })
    },
  }
  return { probe, seen }
}

it('gives the best of three', async () => {
  const { probe } = networkOf([120, 31.4, 40])
  expect(await measureLatency('https://relay.example/', probe, never)).toBe(31)
})

it('gives null where nothing answers', async () => {
  const { probe } = networkOf([null])
  expect(await measureLatency('https://relay.example/', probe, never)).toBeNull()
})

it('keeps what it measured before the line broke', async () => {
  const { probe } = networkOf([50, null])
  expect(await measureLatency('https://relay.example/', probe, never)).toBe(50)
})

it('sends no cookie and no header of ours', async () => {
  const { probe, seen } = networkOf([1, 1, 1])
  await measureLatency('https://relay.example/', probe, never)
  expect(seen.map(init => [init.credentials, init.headers])).toEqual(
    Array.from({ length: 3 }, () => ['omit', undefined]),
  )
})

it('rates by feel', () => {
  expect([20, 80, 199, 200].map(rateLatency)).toEqual(['good', 'fair', 'fair', 'poor'])
})
