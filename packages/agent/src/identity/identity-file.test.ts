import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadIdentity, savePairing } from './identity-file.ts'

let folder: string
beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'homeport-identity-')), 'data')
})
afterEach(() => rm(join(folder, '..'), { recursive: true }))

describe('the identity of an agent', () => {
  it('is made once and stays the same', async () => {
    const first = await loadIdentity(folder)
    const second = await loadIdentity(folder)
    expect(first.publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(second.publicKey).toBe(first.publicKey)
    expect(second.pairing).toBeUndefined()
  })

  it('remembers its pairing', async () => {
    const identity = await loadIdentity(folder)
    await savePairing(folder, identity, { server: 'https://console.example', uid: 'u1' })
    const again = await loadIdentity(folder)
    expect(again.pairing).toEqual({ server: 'https://console.example', uid: 'u1' })
    expect(again.publicKey).toBe(identity.publicKey)
  })

  it('is readable by its owner alone', async () => {
    await loadIdentity(folder)
    expect((await stat(join(folder, 'agent.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
  })

  it('keeps no token', async () => {
    const identity = await loadIdentity(folder)
    await savePairing(folder, identity, { server: 'https://console.example', uid: 'u1' })
    const content = JSON.parse(await readFile(join(folder, 'agent.json'), 'utf8'))
    expect(Object.keys(content).sort()).toEqual(['pairing', 'private_key'])
  })

  it('names a damaged file instead of making a new key over it', async () => {
    await loadIdentity(folder)
    await writeFile(join(folder, 'agent.json'), '{"private_key": 7')
    await expect(loadIdentity(folder)).rejects.toThrow(/agent\.json is damaged/)
  })
})
