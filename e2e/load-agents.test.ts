import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Bench, createBench, inMib, waitUntil } from './support/load.ts'
import { freePort } from './support/processes.ts'

// All come from one address, like the homes behind one carrier's: 64 handshakes at once are theirs.
const agentCount = 2_000
const processCount = 2

let bench: Bench
beforeEach(() => {
  bench = createBench()
})
afterEach(() => bench.dispose())

function fullestHalfSecond(arrivals: readonly number[]): number {
  const sorted = arrivals.toSorted((a, b) => a - b)
  let first = 0
  let most = 0
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? at) >= 500) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

it(`${agentCount} agents are back within 30 s of a relay's restart, and not all at once`, async () => {
  const port = await freePort()
  const devices = Array.from({ length: agentCount }, (_, index) => `device-${index}`)
  const { folders, keys } = await bench.pair(port, devices)
  // That they all start at this moment is the test's own herd; it is let in.
  const links = {
    handshakes: agentCount,
    handshakesPerAddress: agentCount,
    handshakesPerNetwork: agentCount,
  }
  const limits = { links }
  const first = await bench.startRelay({ port, keys, limits, level: 'warn' })
  const { rssBytes: emptyBytes } = await first.reportHeld()
  const share = agentCount / processCount
  const starts = Array.from({ length: processCount }, (_, index) => {
    const own = folders.slice(index * share, (index + 1) * share)
    return bench.startAgents({ port, folders: own, level: 'error' })
  })
  await Promise.all(starts)
  const { rssBytes } = await first.reportHeld()

  await first.kill()
  const downAt = Date.now()
  const second = await bench.startRelay({ port, keys, level: 'warn' })
  const upAt = Date.now()
  await waitUntil(async () => (await second.report()).present === agentCount)
  const arrivals = (await second.report()).openedAt.map(at => at - upAt)
  const bySecond: number[] = []
  for (const ms of arrivals) {
    const second = Math.max(0, Math.floor(ms / 1000))
    bySecond[second] = (bySecond[second] ?? 0) + 1
  }
  console.log(
    `${agentCount} idle links: relay ${inMib(emptyBytes)} + ${inMib(rssBytes - emptyBytes)}; relay away for ` +
      `${upAt - downAt} ms; back in each second after: ${Array.from(bySecond, count => count ?? 0).join(' ')}, ` +
      `${fullestHalfSecond(arrivals)} in the fullest half second`,
  )
  expect(Math.max(...arrivals)).toBeLessThan(30_000)
  // Tries of one age are spread over 750 ms, however fast the machine: two thirds of them fall into the fullest half second.
  expect(fullestHalfSecond(arrivals)).toBeLessThan(agentCount * 0.9)
})
