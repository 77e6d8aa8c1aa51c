import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Random, randomOf } from './bytes.ts'

/** What became of an input that broke nothing. */
export type Outcome = 'accepted' | 'refused'

/** A reader of hostile bytes and what must hold for it. */
export interface FuzzTarget {
  readonly name: string
  /** Makes one input from random numbers alone. */
  make(random: Random): Buffer
  /** Throws where something does not hold that must. */
  check(input: Buffer, random: Random): Outcome | Promise<Outcome>
}

/** What a run did with one target. */
export interface FuzzCount {
  accepted: number
  refused: number
  /** What did not hold, and how to see it again; the target gets no more inputs then. */
  failure: string | null
}

/** How long a run goes on, and from where. */
export interface FuzzRun {
  readonly seed: number
  /** Inputs of each target. */
  readonly inputs?: number
  /** Or time, in ms, shared by all targets alike. */
  readonly durationMs?: number
  /** The one input to look at again. */
  readonly only?: number | undefined
  /** Told about once a minute. */
  readonly onProgress?: (counts: ReadonlyMap<string, FuzzCount>) => void
}

const artefacts = path.join(import.meta.dirname, '..', '..', 'artefacts', 'fuzz')
/** A target's turn, in ms: long enough to be worth the change, short enough to keep timers of others alive. */
const turnMs = 25
const progressMs = 60_000

/** Runs the targets in turns; a target that fails is put aside with its input in `artefacts/fuzz/`, the others go on. */
export async function fuzz(
  targets: readonly FuzzTarget[],
  run: FuzzRun,
): Promise<Map<string, FuzzCount>> {
  const counts = new Map<string, FuzzCount>(
    targets.map(({ name }) => [name, { accepted: 0, refused: 0, failure: null }]),
  )
  const startedAt = performance.now()
  let toldAt = startedAt
  let isOver = false
  while (!isOver) {
    isOver = true
    for (const target of targets) {
      const count = counts.get(target.name) as FuzzCount
      const turnEndsAt = performance.now() + turnMs
      while (count.failure === null && hasMore(run, count, startedAt)) {
        isOver = false
        await step(target, run, count)
        if (performance.now() > turnEndsAt) break
      }
      await new Promise(resolve => setImmediate(resolve))
    }
    if (performance.now() - toldAt < progressMs) continue
    toldAt = performance.now()
    run.onProgress?.(counts)
  }
  return counts
}

function hasMore(run: FuzzRun, count: FuzzCount, startedAt: number): boolean {
  const done = count.accepted + count.refused
  if (run.only !== undefined) return done === 0
  if (run.inputs !== undefined) return done < run.inputs
  return performance.now() - startedAt < (run.durationMs ?? 0)
}

async function step(target: FuzzTarget, run: FuzzRun, count: FuzzCount): Promise<void> {
  const index = run.only ?? count.accepted + count.refused
  const random = randomOf(run.seed, target.name, index)
  const input = target.make(random)
  // What is thrown outside of the check (in a timer, in a stream's event) still belongs to this input.
  let stray: unknown
  const keep = (error: unknown) => {
    stray ??= error
  }
  process.on('uncaughtExceptionMonitor', keep)
  try {
    const outcome = await target.check(input, random)
    if (stray !== undefined) throw stray
    count[outcome] += 1
  } catch (error) {
    mkdirSync(artefacts, { recursive: true })
    const file = path.join(artefacts, `${target.name}-${run.seed}-${index}.bin`)
    writeFileSync(file, input)
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error)
    count.failure = `${target.name}, input ${index} of seed ${run.seed}, kept in ${file}\n${reason}`
  } finally {
    process.off('uncaughtExceptionMonitor', keep)
  }
}

/** The counts as lines of a table. */
export function formatCounts(counts: ReadonlyMap<string, FuzzCount>): string {
  const lines = [...counts].map(([name, { accepted, refused, failure }]) => {
    const sum = accepted + refused
    const end = failure === null ? '' : '  FAILED'
    return `${name.padEnd(20)} ${String(sum).padStart(10)} inputs, ${accepted} accepted, ${refused} refused${end}`
  })
  const sum = [...counts.values()].reduce((all, one) => all + one.accepted + one.refused, 0)
  return [...lines, `${'all'.padEnd(20)} ${String(sum).padStart(10)} inputs`].join('\n')
}
