import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

// Every generated file that is committed, and what renders its whole text. Each is loaded only when it runs: a package
// that cannot be loaded today must fail its own file and not every check.
const GENERATED: Readonly<Record<string, () => Promise<string>>> = {
  'docs/cli.md': async () => (await import('./generate/cli.ts')).renderCli(),
  'docs/environment.md': async () =>
    (await import('./generate/environment.ts')).renderEnvironment(),
  'docs/errors.md': async () => (await import('./generate/errors.ts')).renderErrors(),
  'docs/limits.md': async () => (await import('./generate/limits.ts')).renderLimits(),
  'docs/openapi.json': async () => (await import('./generate/openapi.ts')).renderOpenApi(),
}

const root = path.join(import.meta.dirname, '..')

/** A generated file that differs from its sources, or whose text could not be rendered. */
type Stale = { file: string; text: string } | { file: string; failure: string }

/** Lists generated files that differ from what their sources say today. */
export async function findDrift(): Promise<string[]> {
  const stale = await findStale()
  return stale.map(entry =>
    'failure' in entry
      ? describeFailure(entry)
      : `${entry.file} is not what its sources say: run "npm run generate"`,
  )
}

/** Writes the generated files that differ; returns their names and what could not be rendered. */
export async function writeGenerated(): Promise<{ written: string[]; failures: string[] }> {
  const written: string[] = []
  const failures: string[] = []
  for (const entry of await findStale()) {
    if ('failure' in entry) {
      failures.push(describeFailure(entry))
    } else {
      await writeFile(path.join(root, entry.file), entry.text)
      written.push(entry.file)
    }
  }
  return { written, failures }
}

async function findStale(): Promise<Stale[]> {
  const stale: Stale[] = []
  for (const [file, render] of Object.entries(GENERATED)) {
    try {
      const text = await render()
      if ((await readCommitted(file)) !== text) stale.push({ file, text })
    } catch (error) {
      stale.push({ file, failure: error instanceof Error ? error.message : String(error) })
    }
  }
  return stale
}

async function readCommitted(file: string): Promise<string | undefined> {
  try {
    return await readFile(path.join(root, file), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

function describeFailure({ file, failure }: { file: string; failure: string }): string {
  return `${file} cannot be rendered: ${failure}`
}
