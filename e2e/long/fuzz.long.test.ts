import process from 'node:process'
import { expect, it } from 'vitest'
import { formatCounts, fuzz } from '../fuzz/run.ts'
import { allTargets } from '../fuzz/targets.ts'

const minuteMs = 60_000
const minutes = Number(process.env.HOMEPORT_FUZZ_MINUTES ?? 60)
const seed = Number(process.env.HOMEPORT_FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** `chunks:1234`: that one input of the seed alone. */
const [onlyName, onlyIndex] = process.env.HOMEPORT_FUZZ_INPUT?.split(':') ?? []

it(
  'readers of hostile bytes hold what they promise',
  async () => {
    const targets = allTargets.filter(({ name }) => onlyName === undefined || name === onlyName)
    expect(targets).not.toEqual([])
    console.log(`fuzzing with HOMEPORT_FUZZ_SEED=${seed} for ${minutes} minutes`)
    const counts = await fuzz(targets, {
      seed,
      durationMs: minutes * minuteMs,
      only: onlyIndex === undefined ? undefined : Number(onlyIndex),
      onProgress: all => console.log(`seed ${seed} so far\n${formatCounts(all)}`),
    })
    console.log(`seed ${seed}, ${minutes} minutes\n${formatCounts(counts)}`)
    const failures = [...counts.values()].flatMap(({ failure }) => failure ?? [])
    expect(failures).toEqual([])
  },
  (minutes + 5) * minuteMs,
)
