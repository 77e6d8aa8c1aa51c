import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'

/** One chunk of Vite's manifest, as far as the budget reads it. */
type Chunk = {
  file: string
  src?: string
  isEntry?: boolean
  isDynamicEntry?: boolean
  imports?: string[]
}

/** Vite's manifest: source paths (or chunk names) to chunks. */
export type Manifest = Record<string, Chunk>

// Kilobytes of 1000 bytes, after gzip, JavaScript only. 260 KB are about 2 s on a 1 Mbit/s line.
const FIRST_LOAD_LIMIT_BYTES = 260_000
const PAGE_LIMIT_BYTES = 120_000

/**
 * Lists what the console loads too much of: the login page's first load (entry, page and all they import), and what
 * each other lazy chunk adds to it.
 */
export function findBudgetProblems(
  manifest: Manifest,
  sizes: ReadonlyMap<string, number>,
): string[] {
  const entry = Object.keys(manifest).find(key => manifest[key]?.isEntry)
  const lazy = Object.keys(manifest).filter(key => manifest[key]?.isDynamicEntry)
  const login = lazy.find(key => /^login/i.test(path.posix.basename(key)))
  if (entry === undefined) return ['the manifest has no entry']
  if (login === undefined)
    return ['the manifest has no lazy login page (a module named Login….tsx)']

  const weigh = (files: ReadonlySet<string>) =>
    [...files].reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0)
  const firstLoad = new Set([...filesOf(manifest, entry), ...filesOf(manifest, login)])
  const problems: string[] = []
  if (weigh(firstLoad) > FIRST_LOAD_LIMIT_BYTES) {
    problems.push(tooHeavy('the login page loads', weigh(firstLoad), FIRST_LOAD_LIMIT_BYTES))
  }
  for (const page of lazy) {
    const added = filesOf(manifest, page).difference(firstLoad)
    if (weigh(added) > PAGE_LIMIT_BYTES) {
      problems.push(tooHeavy(`${page} adds`, weigh(added), PAGE_LIMIT_BYTES))
    }
  }
  return problems
}

/** Reads the manifest of a built console and the gzip size in bytes of each of its scripts. */
export async function readBuild(
  distFolder: string,
): Promise<{ manifest: Manifest; sizes: Map<string, number> }> {
  const text = await readFile(path.join(distFolder, '.vite', 'manifest.json'), 'utf8')
  const manifest = JSON.parse(text) as Manifest
  const sizes = new Map<string, number>()
  for (const { file } of Object.values(manifest)) {
    if (file.endsWith('.js'))
      sizes.set(file, gzipSync(await readFile(path.join(distFolder, file))).length)
  }
  return { manifest, sizes }
}

/** The script of a chunk and of everything it imports before it runs. */
function filesOf(manifest: Manifest, start: string, files = new Set<string>()): Set<string> {
  const chunk = manifest[start]
  if (chunk === undefined || files.has(chunk.file)) return files
  files.add(chunk.file)
  for (const next of chunk.imports ?? []) filesOf(manifest, next, files)
  return files
}

function tooHeavy(what: string, bytes: number, limit: number): string {
  return `${what} ${Math.ceil(bytes / 1000)} KB of JavaScript (gzip), the limit is ${limit / 1000} KB`
}
