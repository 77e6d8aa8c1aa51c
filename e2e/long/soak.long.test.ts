import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as wait } from 'node:timers/promises'
import { createRecord, deleteRecord, patchRecord } from '@homeport/contract'
import { expect, it, vi } from 'vitest'
import { addDevice, publish, setUpAdministrator } from '../support/account.ts'
import { type Homeport, type Program, startHomeport } from '../support/processes.ts'
import { startSoakHome } from '../support/soak-home.ts'
import { type SoakPlaces, soakVisitors } from '../support/soak-visitors.ts'
import { median, type Watch, watchedEnvironment, watchProcess } from '../support/watch.ts'

const minutes = Number(process.env.HOMEPORT_SOAK_MINUTES ?? 40)
const durationMs = minutes * 60_000
const mib = 1024 * 1024

/** A new visitor comes this often: about half of one core is busy then, with all parts together. */
const visitorMs = 300
/** What waits for a device that is away must not pile up. */
const visitorLimit = 60
/** A visitor that is still there is a failure. */
const visitorTimeoutMs = 90_000
const editMs = 5_000
const restartMs = Math.min(60_000, durationMs / 4)
const sampleMs = Math.min(10_000, durationMs / 40)

/** The last quarter may hold so much more than the second: one of the two is enough. */
const growthLimit = 0.1
const growthLimitBytes = 16 * mib

it(
  `${minutes} minutes of mixed visitors leave memory flat and nothing open`,
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'homeport-e2e-'))
    const temporary = join(folder, 'tmp')
    await mkdir(temporary)
    const env = { ...(await watchedEnvironment(folder)), TMPDIR: temporary }
    const homeport = await startHomeport([], { folder, env })
    const home = await startSoakHome()
    try {
      await soak(homeport, home)
    } finally {
      home.stop()
      await homeport.stopAgents()
      await homeport.stop()
    }
    expect(await readdir(temporary)).toEqual([])
    await rm(folder, { recursive: true })
  },
  durationMs + 15 * 60_000,
)

async function soak(
  homeport: Homeport,
  { httpTarget, tcpTarget }: { httpTarget: string; tcpTarget: string },
): Promise<void> {
  const account = await setUpAdministrator(homeport)
  const [steady, restless] = [
    await addDevice(homeport, account, 'steady'),
    await addDevice(homeport, account, 'restless'),
  ]
  const placesOf = async (router: number, name: string): Promise<SoakPlaces> => {
    const [web, own, tcp] = await Promise.all([
      publish(account, router, { name, target: httpTarget }),
      publish(account, router, { name: `${name}-own`, target: httpTarget, access: ['owner'] }),
      publish(account, router, { name: `${name}-tcp`, target: tcpTarget, kind: 'tcp' }),
    ])
    return { web: web.url, private: own.url, tcpPort: tcp.port ?? 0 }
  }
  const steadyPlaces = await placesOf(steady.id, 'steady')
  const restlessPlaces = await placesOf(restless.id, 'restless')
  const edited = await publish(account, steady.id, { name: 'edited', target: httpTarget })

  const watches = {
    up: watchProcess(homeport.folder, homeport.child.pid ?? 0),
    agent: watchProcess(homeport.folder, steady.agent.child.pid ?? 0),
  }
  const visitors = createVisitors()

  // Every kind once, so that what is made at the first use is there before the base is taken.
  for (const kind of Object.keys(soakVisitors)) visitors.start(kind, steadyPlaces)
  await visitors.allGone()
  const base = await settledCounts(watches, null)
  const cpuBefore = await cpuOf(watches)

  const { edits, restarts, samples } = await underLoad()
  const cpuShare = ((await cpuOf(watches)) - cpuBefore) / durationMs
  await visitors.allGone()
  const end = await settledCounts(watches, base)
  report()

  expect(visitors.failures).toEqual([])
  expect(end).toEqual(base)
  for (const { second, last } of growths()) {
    const isFlat = last - second < growthLimitBytes || last / second < 1 + growthLimit
    expect([second, last, isFlat]).toEqual([second, last, true])
  }

  async function underLoad() {
    const over = AbortSignal.timeout(durationMs)
    const counts = { edits: 0, restarts: 0 }
    const taken: { atMs: number; rss: Record<keyof typeof watches, number> }[] = []
    const startedAt = performance.now()
    let { agent } = restless
    const kinds = Object.keys(soakVisitors)
    let turn = 0
    await Promise.all([
      every(visitorMs, over, async () => {
        const kind = kinds[turn % kinds.length] ?? ''
        // Every fourth goes to the device whose agent comes and goes; it may be turned away.
        if (turn % 4 === 3) visitors.start(kind, restlessPlaces, true)
        else visitors.start(kind, steadyPlaces)
        turn += 1
      }),
      every(editMs, over, async () => {
        counts.edits += 1
        const body = { remark: String(counts.edits), enabled: counts.edits % 2 === 0 }
        await account.client.call(patchRecord, { params: { id: edited.id }, body })
        const name = `passing-${counts.edits}`
        const added = await account.client.call(createRecord, {
          body: { router: steady.id, name, target: httpTarget },
        })
        await account.client.call(deleteRecord, { params: { id: added.id } })
      }),
      every(restartMs, over, async () => {
        counts.restarts += 1
        agent = await restart(agent, counts.restarts % 2 === 0 ? 'SIGTERM' : 'SIGKILL')
      }),
      every(sampleMs, over, async () => {
        const [up, one] = await Promise.all([watches.up.report(), watches.agent.report()])
        const atMs = performance.now() - startedAt
        if (taken.length % 12 === 0) {
          const sizes = [up, one].map(({ rssBytes }) => `${(rssBytes / mib).toFixed(1)} MiB`)
          const open = JSON.stringify({ up: up.streams, agent: one.streams })
          console.log(
            `${Math.round(atMs / 1000)} s: up ${sizes[0]}, agent ${sizes[1]}, streams ${open}`,
          )
        }
        taken.push({ atMs, rss: { up: up.rssBytes, agent: one.rssBytes } })
      }),
    ])
    return { ...counts, samples: taken }
  }

  async function restart(agent: Program, signal: NodeJS.Signals): Promise<Program> {
    await agent.stop(signal)
    const again = homeport.startAgent(['--server', homeport.url], {
      data: join(homeport.folder, 'agent-1'),
    })
    await again.waitFor(/linked/)
    return again
  }

  function quarters(name: keyof typeof watches): number[] {
    return [0, 1, 2, 3].map(quarter => {
      const within = samples.filter(({ atMs }) => Math.floor((4 * atMs) / durationMs) === quarter)
      return median(within.map(({ rss }) => rss[name]))
    })
  }

  function growths() {
    return (['up', 'agent'] as const).map(name => {
      const [, second = 0, , last = 0] = quarters(name)
      return { second, last }
    })
  }

  function report(): void {
    const table = (['up', 'agent'] as const).map(name => {
      const sizes = quarters(name).map(bytes => `${(bytes / mib).toFixed(1)} MiB`.padStart(10))
      return `${name.padEnd(6)} RSS by quarter ${sizes.join(' ')}`
    })
    console.log(
      [
        `${minutes} minutes, ${samples.length} samples after a collection, ${(100 * cpuShare).toFixed(0)} % of a core for up and agent`,
        ...table,
        `visitors ${JSON.stringify(visitors.counts)}, ${visitors.lost()} of the restless device turned away`,
        `edits ${edits}, agent restarts ${restarts}`,
        `base ${JSON.stringify(base)}`,
        `end  ${JSON.stringify(end)}`,
      ].join('\n'),
    )
  }
}

/** Repeats work with a pause of so many ms between two starts until the signal; what runs is finished. */
async function every(ms: number, over: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    const startedAt = performance.now()
    await work()
    const pauseMs = Math.max(1, ms - (performance.now() - startedAt))
    // Rejects when the time is over, which the loop sees.
    await wait(pauseMs, undefined, { signal: over }).catch(() => undefined)
  }
}

function createVisitors() {
  const running = new Set<Promise<void>>()
  const counts: Record<string, number> = {}
  const failures: string[] = []
  let lost = 0
  return {
    counts,
    failures,
    lost: () => lost,
    start(kind: string, places: SoakPlaces, mayFail = false): void {
      const visitor = soakVisitors[kind]
      if (visitor === undefined || running.size >= visitorLimit) return
      counts[kind] = (counts[kind] ?? 0) + 1
      const late = wait(visitorTimeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('neither answered nor ended')
      })
      const visit = Promise.race([visitor(places), late])
        .catch(error => {
          if (mayFail) lost += 1
          else failures.push(`${kind}: ${error}`)
        })
        .finally(() => running.delete(visit))
      running.add(visit)
    },
    async allGone() {
      await vi.waitFor(() => expect(running.size).toBe(0), { timeout: 120_000, interval: 100 })
    },
  }
}

async function cpuOf(watches: Record<string, Watch>): Promise<number> {
  const times = await Promise.all(Object.values(watches).map(watch => watch.cpuMs()))
  return times.reduce((sum, ms) => sum + ms, 0)
}

const linksAndStreams = (counts?: Counts[string]) => [counts?.links, counts?.streams]

type Counts = Record<string, Record<'descriptors' | 'links' | 'streams' | 'sockets', number>>

/**
 * What is open once nothing happens any more: extra links are closed after a minute, kept connections after 75 s. Without `wanted` it
 * waits for one link of each agent with its control stream; with it, until the counts are those, and hands back the last ones.
 */
async function settledCounts(
  watches: Record<string, Watch>,
  wanted: Counts | null,
): Promise<Counts> {
  let last: Counts = {}
  const look = async () => {
    const counts: Counts = {}
    for (const [name, watch] of Object.entries(watches)) {
      const { descriptors, links, streams, sockets } = await watch.report()
      counts[name] = { descriptors, links, streams, sockets }
    }
    last = counts
    if (wanted !== null) expect(counts).toEqual(wanted)
    else
      expect([...linksAndStreams(counts.up), ...linksAndStreams(counts.agent)]).toEqual([
        2, 2, 1, 1,
      ])
  }
  try {
    await vi.waitFor(look, { timeout: 200_000, interval: 5_000 })
  } catch (error) {
    if (wanted === null) throw error
  }
  return last
}
