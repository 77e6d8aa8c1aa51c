import { proveWay } from './load/proof.ts'
import type { Measure, MeasureId, Sample } from './measures.ts'
import { memoryMib } from './processes.ts'
import type { Target } from './target.ts'
import type { Way } from './way.ts'

/** What a way did: samples by measure, one a round, and what went wrong. */
export interface Result {
  readonly way: Way
  readonly samples: ReadonlyMap<MeasureId, readonly Sample[]>
  /** MiB of each side before any load, in the order of the way's sides. */
  readonly idleMib: readonly number[]
  readonly faults: readonly string[]
}

/** How long and how often. */
export interface Rounds {
  readonly rounds: number
  /** Of each measurement of requests or connections, whole. */
  readonly seconds: number
  /** Of each measurement of bulk. */
  readonly bulkSeconds: number
}

const warmUpSeconds = 1

/**
 * Measures all ways in turns: each measure goes round all ways before it comes to the first again, so that what the machine does
 * beside it meets all of them. A way that fails once is told and left out from there on.
 */
export async function race(
  ways: readonly Way[],
  measures: readonly Measure[],
  target: Target,
  { rounds, seconds, bulkSeconds }: Rounds,
  tell: (line: string) => void,
): Promise<Result[]> {
  const runners = ways.map(way => ({
    way,
    samples: new Map<MeasureId, Sample[]>(measures.map(({ id }) => [id, []])),
    idleMib: way.sides.map(side => memoryMib(side.pid)),
    faults: [] as string[],
  }))

  async function attempt(
    runner: (typeof runners)[number],
    what: string,
    work: () => Promise<void>,
  ) {
    if (runner.faults.length > 0) return
    try {
      await work()
    } catch (error) {
      const fault = `${what}: ${error instanceof Error ? error.message : String(error)}`
      runner.faults.push(fault)
      tell(`${runner.way.id} failed, ${fault}`)
    }
  }

  for (const runner of runners) {
    await attempt(runner, 'proof', () => proveWay(runner.way, target))
  }
  const turns = (measure: Measure) =>
    runners.filter(({ way }) => !measure.isBulk || way.isRequestsOnly !== true)
  // What V8 compiles once and files that come into memory are not what a request costs.
  for (const measure of measures.filter(({ warmsUp }) => warmsUp)) {
    for (const runner of turns(measure)) {
      await attempt(runner, `${measure.id}, warming up`, async () => {
        await measure.run(runner.way, warmUpSeconds, target)
      })
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const measure of measures) {
      for (const runner of turns(measure)) {
        await attempt(runner, `${measure.id}, round ${round}`, async () => {
          const time = measure.isBulk ? bulkSeconds : seconds
          const sample = await measure.run(runner.way, time, target)
          runner.samples.get(measure.id)?.push(sample)
          tell(`${round}/${rounds} ${measure.id} ${runner.way.id} ${sample.rate.toFixed(0)}`)
        })
      }
    }
  }
  for (const runner of runners) {
    await attempt(runner, 'proof after the load', () => proveWay(runner.way, target))
  }
  return runners
}
