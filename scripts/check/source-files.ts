import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'

/** The repository's root folder. */
export const root = path.join(import.meta.dirname, '..', '..')

/** One text file of the repository: its path from the root with forward slashes, and what it holds. */
export type SourceFile = { path: string; text: string }

/** Reads every text file that git tracks or would track, so that what `.gitignore` names is never judged. */
export async function readSourceFiles(): Promise<SourceFile[]> {
  const listing = await promisify(execFile)(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
    { cwd: root, maxBuffer: 64 * 1024 * 1024 },
  )
  const paths = listing.stdout.split('\0').filter(file => file !== '' && isText(file))
  // A file that was deleted but not yet committed is still listed.
  const present = [...new Set(paths)].filter(file => existsSync(path.join(root, file)))
  return Promise.all(
    present.map(async file => ({
      path: file,
      text: await readFile(path.join(root, file), 'utf8'),
    })),
  )
}

/** Whether a file holds TypeScript or JavaScript. */
export function isCode(file: string): boolean {
  return /\.(?:ts|tsx|mjs|js)$/.test(file)
}

/** Whether a file is a test or lives in a folder that holds nothing but tests. */
export function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || /^(?:e2e|bench)\//.test(file)
}

function isText(file: string): boolean {
  return !/\.(?:png|jpe?g|webp|gif|ico|woff2?|ttf|otf|wasm|gz|zip|pdf)$/.test(file)
}
