import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'
import { findNonces } from './work.ts'

const hex = (words: Uint32Array) =>
  [...words].map(word => word.toString(16).padStart(8, '0')).join('')
const expected = (text: string) => createHash('sha256').update(text).digest('hex')

describe('sha256', () => {
  it('is that of FIPS 180-4 for every length around the block', () => {
    for (let length = 0; length <= 130; length += 1) {
      const text = 'abcdefghij'.repeat(13).slice(0, length)
      expect(hex(sha256(text))).toBe(expected(text))
    }
  })
})

describe('findNonces', () => {
  it('finds for each part a number whose hash begins with the zero bits, and tells how far it is', async () => {
    const shares: number[] = []
    const work = { salt: 'salt', bits: 12, parts: 4 }
    const nonces = await findNonces(work, new AbortController().signal, share => shares.push(share))
    const hashes = nonces.map((nonce, part) => expected(`salt:${part}:${nonce}`))
    expect(hashes.map(hash => hash.slice(0, 3))).toEqual(['000', '000', '000', '000'])
    expect(shares.at(-1)).toBe(1)
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
  })

  it('stops when nobody waits any more', async () => {
    const controller = new AbortController()
    const finding = findNonces({ salt: 'salt', bits: 31, parts: 1 }, controller.signal, () => {})
    controller.abort()
    await expect(finding).rejects.toMatchObject({ name: 'AbortError' })
  })
})
