import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { renderEnvironment } from './generate/environment.ts'
import { renderErrors } from './generate/errors.ts'
import { renderLimits } from './generate/limits.ts'
import { renderOpenApi } from './generate/openapi.ts'

// Every generated file that is committed, and what renders its whole text.
const GENERATED: Readonly<Record<string, () => Promise<string>>> = {
  'docs/environment.md': renderEnvironment,
  'docs/errors.md': renderErrors,
  'docs/limits.md': renderLimits,
  'docs/openapi.json': renderOpenApi,
}

const root = path.join(import.meta.dirname, '..')

/** Lists generated files that differ from what their sources say today. */
export async function findDrift(): Promise<string[]> {
  const stale = await findStale()
  return stale.map(({ file }) => `${file} is not what its sources say: run "npm run generate"`)
}

/** Writes the generated files that differ and returns their names. */
export async function writeGenerated(): Promise<string[]> {
  const stale = await findStale()
  for (const { file, text } of stale) await writeFile(path.join(root, file), text)
  return stale.map(({ file }) => file)
}

async function findStale(): Promise<{ file: string; text: string }[]> {
  const stale: { file: string; text: string }[] = []
  for (const [file, render] of Object.entries(GENERATED)) {
    const text = await render()
    const committed = await readFile(path.join(root, file), 'utf8').catch(error => {
      if (error.code === 'ENOENT') return undefined
      throw error
    })
    if (committed !== text) stale.push({ file, text })
  }
  return stale
}
