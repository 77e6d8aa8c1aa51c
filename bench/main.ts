/**
 * `npm run bench`: carries HTTP and TCP through relay and agent and through nginx, HAProxy and OpenSSH, in turns on this machine,
 * and prints a section for RESULTS.md. What it measures and how to read it stands in README.md. Linux only: CPU time is read
 * from /proc.
 */
import { loadavg } from 'node:os'
import process from 'node:process'
import { makeCertificate } from './certificate.ts'
import { describeMachine, describeVersions } from './machine.ts'
import { httpMeasures, type Measure, tcpMeasures } from './measures.ts'
import { type Options, readOptions } from './options.ts'
import { startHaproxyHttp, startHaproxyTcp } from './peers/haproxy.ts'
import { startHomeport } from './peers/homeport.ts'
import { startNginxHttp, startNginxTcp } from './peers/nginx.ts'
import { startOpenssh } from './peers/openssh.ts'
import { findProgram, MissingProgram, type ProgramName } from './programs.ts'
import { race } from './race.ts'
import { renderReport } from './report.ts'
import { createStage, type Stage } from './stage.ts'
import { describeDirect, startTarget } from './target.ts'
import type { Contestants, Ground, Way } from './way.ts'

// The statuses of sysexits.h: the command line, and a machine that lacks something.
const exitStatus = { failed: 1, usage: 64, unavailable: 69 } as const
/** Without these there is nothing to compare: load, target, certificate. */
const needed: readonly ProgramName[] = ['wrk', 'nginx', 'openssl']

type StartPeer = (stage: Stage, ground: Ground) => Promise<Way[]>

const peers: Record<keyof Contestants, readonly (readonly [string, StartPeer])[]> = {
  http: [
    ['nginx', startNginxHttp],
    ['HAProxy', startHaproxyHttp],
  ],
  tcp: [
    ['nginx stream', startNginxTcp],
    ['HAProxy tcp', startHaproxyTcp],
    ['OpenSSH', startOpenssh],
  ],
}

/** Tells on stderr, so that stdout is the report alone. */
const tell = (line: string): void => void process.stderr.write(`${line}\n`)

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Starts everything, measures, prints. Resolves with whether every way held out to the end. */
async function run(stage: Stage, options: Options): Promise<boolean> {
  const load = loadavg()
  const target = await startTarget(stage)
  const ground: Ground = { ...target, certificate: makeCertificate(stage.folder) }
  const leftOut: string[] = []

  /** A peer that cannot be had here is told; ours must start. */
  async function gather(kind: keyof Contestants, ours: Contestants): Promise<readonly Way[]> {
    const ways = [...ours[kind]]
    for (const [name, start] of peers[kind]) {
      try {
        ways.push(...(await start(stage, ground)))
      } catch (error) {
        leftOut.push(`${name}: ${wordsOf(error)}`)
        tell(`left out, ${leftOut.at(-1)}`)
      }
    }
    if (kind === 'http') ways.push(describeDirect(ground))
    return ways.filter(({ id, isExtra }) =>
      options.ways.length === 0 ? isExtra !== true : options.ways.includes(id),
    )
  }

  const ours = await startHomeport(stage, ground)
  const isWanted = (kind: keyof Contestants) => options.only.includes(kind)
  const ways = {
    http: isWanted('http') ? await gather('http', ours) : [],
    tcp: isWanted('tcp') ? await gather('tcp', ours) : [],
  }
  const measure = (kind: keyof Contestants, measures: readonly Measure[]) =>
    race(ways[kind], measures, target, options.rounds, tell)
  const results = {
    http: await measure('http', httpMeasures),
    tcp: await measure('tcp', tcpMeasures),
  }
  const report = renderReport({
    date: new Date(),
    options: process.argv.slice(2).join(' '),
    machine: describeMachine(),
    versions: describeVersions(),
    load,
    rounds: options.rounds,
    ...results,
    leftOut,
  })
  console.log(report)
  return [...results.http, ...results.tcp].every(({ faults }) => faults.length === 0)
}

/** The whole program; resolves with its exit status. */
async function main(): Promise<number> {
  let options: Options
  try {
    options = readOptions(process.argv.slice(2))
    for (const name of needed) findProgram(name)
  } catch (error) {
    tell(`bench: ${wordsOf(error)}`)
    return error instanceof MissingProgram ? exitStatus.unavailable : exitStatus.usage
  }
  const stage = createStage()
  try {
    return (await run(stage, options)) ? 0 : exitStatus.failed
  } finally {
    await stage.end()
  }
}

process.exitCode = await main()
