import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { findProgram } from '../programs.ts'
import type { Place } from '../way.ts'

/** What wrk counted. */
export interface Answers {
  readonly count: number
  readonly perSecond: number
}

/** Connections at a time. */
export const connections = 32
// wrk waits 2 s for answers that are late; what hangs longer hangs for ever.
const graceMs = 15_000

/** Requests for so long over 32 connections; with `fresh`, each on a connection of its own. Throws where an answer was not 200. */
export async function askOften(place: Place, seconds: number, fresh = false): Promise<Answers> {
  const url = `${place.isTls ? 'https' : 'http'}://127.0.0.1:${place.port}/`
  const headers = [`Host: ${place.host}`, ...(fresh ? ['Connection: close'] : [])]
  const wrk = spawn(
    findProgram('wrk'),
    ['-t1', `-c${connections}`, `-d${seconds}s`, ...headers.flatMap(each => ['-H', each]), url],
    { stdio: ['ignore', 'pipe', 'inherit'], timeout: seconds * 1000 + graceMs },
  )
  const [output] = await Promise.all([text(wrk.stdout), once(wrk, 'close')])
  return readAnswers(output)
}

/** Reads what wrk prints. Throws with its own words where requests failed or none was answered. */
export function readAnswers(output: string): Answers {
  const problem = /(?:Non-2xx|Socket errors).*/.exec(output)?.[0]
  if (problem !== undefined) throw new Error(`wrk: ${problem}`)
  const count = Number(/(\d+) requests in/.exec(output)?.[1])
  const perSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1])
  if (!(count > 0 && perSecond > 0)) throw new Error(`wrk: no answers: ${output.trim()}`)
  return { count, perSecond }
}
