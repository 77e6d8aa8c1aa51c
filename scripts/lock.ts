// Adds the optional platform packages that npm left out of package-lock.json: `npm run lock`, after every change of
// a dependency. `npm run check` fails while some are missing.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { findMissingPackages, type LockFile, mendLock } from './check/lock-file.ts'

const file = path.join(import.meta.dirname, '..', 'package-lock.json')
const lock = JSON.parse(await readFile(file, 'utf8')) as LockFile
const missing = findMissingPackages(lock)
if (missing.length > 0) await writeFile(file, `${JSON.stringify(mendLock(lock), null, 2)}\n`)
console.log(`package-lock.json: ${missing.length} missing platform packages added`)
