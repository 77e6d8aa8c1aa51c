import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import process from 'node:process'

const root = path.join(import.meta.dirname, '..')
const consoleFolder = path.join(root, 'packages', 'console')

/** Where the built console lies. */
export const consoleDist = path.join(consoleFolder, 'dist')

// Beside Vite's manifest, in the one hidden folder of the build.
const stampFile = path.join(consoleDist, '.vite', 'sources.sha256')

// Everything a build depends on. The lock file stands for all libraries.
const SOURCES = [
  'packages/console/src',
  'packages/console/public',
  'packages/console/index.html',
  'packages/console/vite.config.ts',
  'packages/console/package.json',
  'packages/contract/src',
  'packages/contract/package.json',
  'package-lock.json',
]

/** Builds the console unless the last build came from the very same sources. Says whether it built. */
export async function buildConsoleIfStale(): Promise<boolean> {
  const hash = await hashSources()
  if (existsSync(stampFile) && (await readFile(stampFile, 'utf8')) === hash) return false
  await buildConsole(hash)
  return true
}

/** Builds the console; throws when Vite fails, with its whole output. */
export async function buildConsole(hash?: string): Promise<void> {
  // A process of its own: Vite must not read our arguments, and its memory goes back when it ends.
  const vite = path.join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [vite, 'build', '--manifest', '--emptyOutDir', '--outDir', 'dist', '--logLevel', 'warn'],
    {
      cwd: consoleFolder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  if (status !== 0) throw new Error(`vite build failed:\n${stdout}${stderr}`)
  await mkdir(path.dirname(stampFile), { recursive: true })
  await writeFile(stampFile, hash ?? (await hashSources()))
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const source of SOURCES) {
    for (const file of await listFiles(path.join(root, source))) {
      if (/\.test\.tsx?$/.test(file)) continue
      hash
        .update(`${path.relative(root, file)}\0`)
        .update(await readFile(file))
        .update('\0')
    }
  }
  return hash.digest('hex')
}

async function listFiles(place: string): Promise<string[]> {
  if (!existsSync(place)) return []
  if (path.extname(place) !== '') return [place]
  const entries = await readdir(place, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .sort()
}
