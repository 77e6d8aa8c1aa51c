import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'
import { buildConsoleIfStale, consoleDist } from '../console-build.ts'
import { findDrift } from '../generated.ts'
import { findBudgetProblems, readBuild } from './budget.ts'
import { findImportProblems } from './imports.ts'
import {
  findAddresses,
  findChangedManifests,
  findMissingPackages,
  type LockFile,
  type Manifest as PackageManifest,
} from './lock-file.ts'
import { findLongFiles, findMisplacedFiles } from './shape.ts'
import { readSourceFiles, root, type SourceFile } from './source-files.ts'
import { findForbiddenWords } from './words.ts'

/** What a step found: `problems` is empty when all is well. */
export type StepResult = { name: string; problems: string[]; ms: number }

type Step = { name: string; run: (files: readonly SourceFile[]) => Promise<string[]> }

const STEPS: readonly Step[] = [
  {
    name: 'types',
    run: () =>
      runTool('typescript/bin/tsc', ['-p', 'tsconfig.json', '--noEmit', '--pretty', 'false']),
  },
  {
    name: 'lint',
    run: () =>
      runTool('@biomejs/biome/bin/biome', ['ci', '--colors=off', '--error-on-warnings', '.']),
  },
  {
    name: 'unused',
    run: () => runTool('knip/bin/knip.js', ['--no-progress', '--no-config-hints']),
  },
  { name: 'budget', run: checkBudget },
  { name: 'generated', run: () => findDrift() },
  { name: 'imports', run: async files => findImportProblems(files) },
  { name: 'sizes', run: async files => findLongFiles(files) },
  { name: 'names', run: async files => findMisplacedFiles(files) },
  { name: 'words', run: async files => findForbiddenWords(files) },
  { name: 'lock', run: checkLock },
]

/** The names `--only` takes, in the order they run. */
export const stepNames: readonly string[] = STEPS.map(step => step.name)

/** Runs the named steps, two at a time, and reports each as soon as it ends. */
export async function runSteps(
  names: readonly string[],
  report: (result: StepResult) => void,
): Promise<StepResult[]> {
  const files = await readSourceFiles()
  const waiting = STEPS.filter(step => names.includes(step.name))
  const results: StepResult[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const startedAt = performance.now()
      const problems = await step
        .run(files)
        .catch(error => [`the step itself failed: ${describe(error)}`])
      const result = { name: step.name, problems, ms: Math.round(performance.now() - startedAt) }
      results.push(result)
      report(result)
    }
  }
  await Promise.all([work(), work()])
  return results
}

async function checkBudget(): Promise<string[]> {
  await buildConsoleIfStale()
  const { manifest, sizes } = await readBuild(consoleDist)
  return findBudgetProblems(manifest, sizes)
}

async function checkLock(files: readonly SourceFile[]): Promise<string[]> {
  const lock = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as LockFile
  const manifests = new Map(
    files
      .filter(file => /^(?:packages\/[^/]+\/)?package\.json$/.test(file.path))
      .map(file => [
        file.path.replace(/\/?package\.json$/, ''),
        JSON.parse(file.text) as PackageManifest,
      ]),
  )
  return [
    ...findChangedManifests(lock, manifests).map(
      folder =>
        `${path.posix.join(folder, 'package.json')} is not what the lock says: run "npm install" and "npm run lock"`,
    ),
    ...findMissingPackages(lock).map(
      ({ parent, name }) => `${name}, wanted by ${parent}, is missing: run "npm run lock"`,
    ),
    ...findAddresses(lock).map(place => `${place} carries a registry address`),
  ]
}

/** Runs an installed program of ours in a Node of its own; its output is the problems when it fails. */
function runTool(script: string, args: readonly string[]): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string[]>()
  const child = spawn(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output: Buffer[] = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  child.on('error', reject)
  child.on('close', code => {
    resolve(
      code === 0 ? [] : [Buffer.concat(output).toString('utf8').trim() || `exit code ${code}`],
    )
  })
  return promise
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
