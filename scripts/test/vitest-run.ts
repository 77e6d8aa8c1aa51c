import { spawn } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { root } from '../check/source-files.ts'
import { type Counts, countVitest, listFailures, type VitestReport } from './counts.ts'

/** What one Vitest run needs: its project, the filters of the command line, its environment and its time. */
export type VitestRun = {
  project: string
  filters: readonly string[]
  env: NodeJS.ProcessEnv
  timeoutMs: number
}

/** Runs one Vitest project, shows its output, counts its tests and names those that failed. A run that takes too long is ended and failed. */
export async function runVitest({
  project,
  filters,
  env,
  timeoutMs,
}: VitestRun): Promise<{ counts: Counts; failures: string[] }> {
  // Kept after the run, for whoever looks at it in CI.
  const reportFile = path.join(root, 'artefacts', `report-${project}.json`)
  await rm(reportFile, { force: true })
  const exitCode = await runNode(
    [
      path.join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      `--project=${project}`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${reportFile}`,
      ...filters,
    ],
    env,
    timeoutMs,
  )
  const report = await readReport(reportFile)
  const failures = listFailures(report)
  // An unhandled rejection fails a run whose tests are all good.
  if (exitCode !== 0 && failures.length === 0) failures.push(`${project}, outside its tests`)
  return { counts: countVitest(report, exitCode), failures }
}

/** A run that was ended before it could write leaves no report; its exit code then counts as the failure. */
async function readReport(file: string): Promise<VitestReport> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as VitestReport
  } catch (error) {
    console.error(`no report of the test run: ${error instanceof Error ? error.message : error}`)
    return { testResults: [] }
  }
}

function runNode(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<number | null> {
  const { promise, resolve, reject } = Promise.withResolvers<number | null>()
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const timer = setTimeout(() => {
    console.error(`the test run was ended after ${timeoutMs / 1000} s`)
    end()
  }, timeoutMs)
  child.once('error', reject)
  child.once('exit', code => {
    clearTimeout(timer)
    process.off('exit', end)
    // Null stands for a death by signal, which is no success.
    resolve(code)
  })
  return promise
}
