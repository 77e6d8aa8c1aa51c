// `npm test`: sets up what tests need, runs the repository's checks and every test, and ends with one line of counts.
// `npm test -- <filter>` runs the test files that match and no checks; `--long` runs what takes minutes.
import process from 'node:process'
import { parseArgs } from 'node:util'
import { startPostgres, type TestPostgres } from '../packages/testkit/src/postgres.ts'
import { runSteps, stepNames } from './check/steps.ts'
import { buildConsoleIfStale } from './console-build.ts'
import { addCounts, type Counts, formatCounts, isGood } from './test/counts.ts'
import { ensureSystemPackages } from './test/system-packages.ts'
import { runVitest } from './test/vitest-run.ts'

const MINUTE_MS = 60_000
const databaseVariable = 'HOMEPORT_TEST_DATABASE_URL'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: 'boolean', default: false } },
})
const isWhole = positionals.length === 0 && !values.long

// Ending through `exit` lets every part that registered there end its own processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(1))

const nothing: Counts = { passed: 0, failed: 0, skipped: 0 }
const results: Counts[] = []
// Named once more at the end: what failed is else far above, in the middle of a long log.
const failures: string[] = []
let postgres: TestPostgres | undefined
ensureSystemPackages()
if (isWhole) await count('checks', runChecks)
await count('console build', runBuild)
await count('database', openDatabase)
const env = {
  ...process.env,
  ...(postgres === undefined ? {} : { [databaseVariable]: postgres.url }),
  ...(values.long ? { HOMEPORT_TEST_LONG: '1' } : {}),
}
// A whole run should take 15 minutes on two cores, and has been seen to take half as long again on slow ones; what hangs is ended after these minutes. A phase's projects run side by side.
const phases: readonly Readonly<Record<string, number>>[] = values.long
  ? [{ unit: 60 }, { stories: 20 }, { e2e: 150 }]
  : [{ unit: 12 }, { stories: 25, waits: 12 }, { e2e: 12 }]
for (const phase of phases) {
  await Promise.all(
    Object.entries(phase).map(([project, minutes]) =>
      count(project, async () => {
        const timeoutMs = minutes * MINUTE_MS
        const run = await runVitest({ project, filters: positionals, env, timeoutMs })
        failures.push(...run.failures)
        return run.counts
      }),
    ),
  )
}
await postgres?.stop()

const sum = addCounts(results)
process.exitCode = isGood(sum) ? 0 : 1
for (const failure of failures) console.log(`failed: ${failure}`)
console.log(formatCounts(sum))

/** Runs one runner, keeps its counts and says how long it took. A runner that throws is one failure. */
async function count(name: string, run: () => Promise<Counts>): Promise<void> {
  const startedAt = performance.now()
  const counts = await run().catch(error => {
    console.error(error)
    failures.push(name)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  results.push(counts)
  // Without counts: the last line is the only one of its form.
  console.log(`${name} ended after ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
}

async function runChecks(): Promise<Counts> {
  const steps = await runSteps(stepNames, ({ name, problems, ms }) => {
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name.padEnd(10)} ${ms} ms`)
    for (const problem of problems) console.log(problem)
  })
  const failed = steps.filter(step => step.problems.length > 0)
  failures.push(...failed.map(step => `check ${step.name}`))
  return { passed: steps.length - failed.length, failed: failed.length, skipped: 0 }
}

/** A build is no test: it counts only when it fails, because every story in a browser would fail with it. */
async function runBuild(): Promise<Counts> {
  await buildConsoleIfStale()
  return nothing
}

/** Starts the tests' own PostgreSQL, unless the environment names one. */
async function openDatabase(): Promise<Counts> {
  if (process.env[databaseVariable] !== undefined) return nothing
  postgres = await startPostgres()
  console.log(
    postgres === undefined
      ? `no PostgreSQL on this machine: its tests are skipped (or set ${databaseVariable})`
      : `PostgreSQL from ${postgres.origin}`,
  )
  return nothing
}
