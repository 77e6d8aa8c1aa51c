import process from 'node:process'
import { expect } from 'vitest'
import { createSeededRandom } from '../captcha/solvers/measure.ts'

// Tries of all sorts take turns in an order drawn anew each round, so that a busy machine slows all of them alike. Of five rounds the
// fastest try of each sort counts, as it would for an attacker: what the machine did meanwhile adds time and takes none.

/** Medians of sorts may differ by this factor at most. */
const ratioLimit = 1.1

/** Rounds of which the fastest try counts. */
const roundsOfOne = 5

/** Closer than this no further rounds are needed to tell. */
const closeRatio = 1.04

const roundsAtOnce = 100

/** Prepares a try, which is not measured, and gives the try. */
export type Sort = () => Promise<() => Promise<void>> | (() => Promise<void>)

/** What is measured: the time that passes, or the processor's alone. */
export type Watch = 'wall' | 'processor'

const watches: Readonly<Record<Watch, () => number>> = {
  wall: () => performance.now(),
  processor() {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  },
}

interface Options {
  /** For what takes long on its own: there the time that passes is mostly that of other programs on a busy machine. */
  watch?: Watch
  beforeRound?: () => void
}

/** Milliseconds of each try, by sort, for so many rounds. */
async function measure(
  sorts: Readonly<Record<string, Sort>>,
  rounds: number,
  { seed, watch = 'wall', beforeRound }: Options & { seed: number },
): Promise<Map<string, number[]>> {
  const random = createSeededRandom(seed)
  const times = new Map(Object.keys(sorts).map(name => [name, [] as number[]]))
  for (let round = 0; round < rounds; round += 1) {
    beforeRound?.()
    const order = Object.entries(sorts)
      .map(([name, prepare]) => ({ name, prepare, at: random() }))
      .sort((a, b) => a.at - b.at)
    for (const { name, prepare } of order) {
      const run = await prepare()
      const startedAt = watches[watch]()
      await run()
      times.get(name)?.push(watches[watch]() - startedAt)
    }
  }
  return times
}

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The fastest of each few, and the median of those. */
const typicalOf = (values: readonly number[]): number =>
  medianOf(
    Array.from({ length: values.length / roundsOfOne }, (_, block) =>
      Math.min(...values.slice(block * roundsOfOne, (block + 1) * roundsOfOne)),
    ),
  )

/** Measures until the medians are close, or `mostRounds` were made; a true difference grows no smaller by further rounds. */
export async function expectAlike(
  name: string,
  sorts: Readonly<Record<string, Sort>>,
  { mostRounds, ...options }: Options & { mostRounds: number },
): Promise<void> {
  await measure(sorts, 3, { seed: 1, ...options })
  const times = new Map<string, number[]>()
  let [ratio, rounds] = [Number.POSITIVE_INFINITY, 0]
  while (ratio > closeRatio && rounds < mostRounds) {
    rounds += roundsAtOnce
    for (const [sort, more] of await measure(sorts, roundsAtOnce, {
      seed: rounds,
      ...options,
    })) {
      times.set(sort, [...(times.get(sort) ?? []), ...more])
    }
    const typical = [...times.values()].map(typicalOf)
    ratio = Math.max(...typical) / Math.min(...typical)
  }
  const shown = [...times].map(([sort, all]) => `${sort} ${typicalOf(all).toFixed(2)} ms`)
  console.log(
    `${name}: ${options.watch ?? 'wall'} time, ratio of medians ${ratio.toFixed(3)}, ${rounds} rounds (${shown.join(', ')})`,
  )
  expect(ratio).toBeLessThanOrEqual(ratioLimit)
}
