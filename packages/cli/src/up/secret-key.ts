import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const fileName = 'secret.key'

/**
 * The deployment's key, 32 bytes: as configured, else from the data folder, where the first start makes it with mode 0600.
 * Two starts at once agree: only one of them makes the file.
 */
export async function loadSecretKey(
  dataFolder: string,
  configured: Buffer | undefined,
): Promise<Buffer> {
  if (configured !== undefined) return configured
  await mkdir(dataFolder, { recursive: true, mode: 0o700 })
  const path = join(dataFolder, fileName)
  if (!existsSync(path)) await makeKeyFile(path)
  const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64url')
  if (key.length !== 32)
    throw new Error(`${path} does not hold a key of 32 bytes; restore it from a backup`)
  return key
}

// Written whole beside the place and linked into it: whoever reads finds a whole key, and the first one stays.
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64url')}\n`)
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await file.close()
    await rm(draft, { force: true })
  }
}
