import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sha256 } from './sha256.ts'
import { findNonce } from './work.ts'

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

describe('findNonce', () => {
  it('finds the number whose hash begins with the zero bits', async () => {
    const nonce = await findNonce({ salt: 'salt', bits: 12 }, new AbortController().signal)
    expect(expected(`salt:${nonce}`)).toMatch(/^000/)
  })

  it('stops when nobody waits any more', async () => {
    const controller = new AbortController()
    const finding = findNonce({ salt: 'salt', bits: 31 }, controller.signal)
    controller.abort()
    await expect(finding).rejects.toMatchObject({ name: 'AbortError' })
  })
})
