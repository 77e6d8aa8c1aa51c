import type { RequestListener } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AgentsReport } from './support/agents-program.ts'
import {
  ask,
  type Bench,
  createBench,
  inMib,
  MIB,
  type Reporter,
  routeTo,
  textOf,
} from './support/load.ts'
import { countPattern, patternOf } from './support/pattern.ts'
import { freePort } from './support/processes.ts'
import type { RelayReport } from './support/relay-program.ts'

const warmUpBytes = 128 * MIB
const wholeBytes = 1024 * MIB
const growthLimitBytes = 32 * MIB

let bench: Bench
let relay: Reporter<RelayReport>
let agent: Reporter<AgentsReport>
let port: number

/** `GET /<bytes>` sends that much of the pattern; a POST is read and its right bytes are counted. */
const home: RequestListener = async (request, answer) => {
  if (request.method === 'POST') return answer.end(String(await countPattern(request)))
  const bytes = Number(request.url?.slice(1))
  answer.setHeader('content-length', bytes)
  await pipeline(patternOf(bytes), answer)
}

beforeAll(async () => {
  bench = createBench()
  port = await freePort()
  const target = await bench.serveHome(home)
  const { folders, keys } = await bench.pair(port, ['nas'])
  relay = await bench.startRelay({ port, keys, routes: [routeTo(1, 'nas', target)] })
  agent = await bench.startAgents({ port, folders })
})
afterAll(() => bench.dispose())

async function download(bytes: number): Promise<number> {
  return countPattern(await ask(port, 'nas.localhost', `/${bytes}`))
}

async function upload(bytes: number): Promise<number> {
  const answer = await ask(port, 'nas.localhost', '/', patternOf(bytes))
  return Number(await textOf(answer))
}

it.each([
  ['down', download],
  ['up', upload],
] as const)(
  'carries 1 GiB %s whole while the relay grows by less than 32 MiB',
  async (way, carry) => {
    expect(await carry(warmUpBytes)).toBe(warmUpBytes)
    const [relayBefore, agentBefore] = [await relay.report(), await agent.report()]
    const startedAt = performance.now()
    expect(await carry(wholeBytes)).toBe(wholeBytes)
    const seconds = (performance.now() - startedAt) / 1000
    const [relayAfter, agentAfter] = [await relay.report(), await agent.report()]
    const relayGrowth = relayAfter.peakBytes - relayBefore.rssBytes
    const agentGrowth = agentAfter.peakBytes - agentBefore.rssBytes
    console.log(
      `1 GiB ${way} in ${seconds.toFixed(1)} s; relay ${inMib(relayBefore.rssBytes)} + ${inMib(relayGrowth)}, ` +
        `agent ${inMib(agentBefore.rssBytes)} + ${inMib(agentGrowth)}`,
    )
    expect(relayGrowth).toBeLessThan(growthLimitBytes)
  },
)
