import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadSecretKey } from './secret-key.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeport-key-'))
})
afterEach(() => rm(folder, { recursive: true }))

describe('the secret key', () => {
  it('is made once, for its owner alone', async () => {
    const data = join(folder, 'data')
    const first = await loadSecretKey(data, undefined)
    expect(first).toHaveLength(32)
    expect((await loadSecretKey(data, undefined)).equals(first)).toBe(true)
    expect((await stat(join(data, 'secret.key'))).mode & 0o777).toBe(0o600)
  })

  it('is the same for starts at the same moment', async () => {
    const keys = await Promise.all(
      Array.from({ length: 8 }, () => loadSecretKey(folder, undefined)),
    )
    expect(new Set(keys.map(key => key.toString('hex'))).size).toBe(1)
    expect(await readdir(folder)).toEqual(['secret.key'])
  })

  it('comes from the configuration where it is given', async () => {
    const key = Buffer.alloc(32, 7)
    expect(await loadSecretKey(folder, key)).toBe(key)
    expect(await readdir(folder)).toEqual([])
  })

  it('is never made anew over a damaged file', async () => {
    await writeFile(join(folder, 'secret.key'), 'short\n')
    await expect(loadSecretKey(folder, undefined)).rejects.toThrow(/does not hold a key/)
  })
})
