import { expect, it } from 'vitest'
import { deriveKeys } from '../keys.ts'
import { createTokenVault } from './token-vault.ts'

const vault = createTokenVault(deriveKeys(Buffer.alloc(32, 1)))
const token = '0f7a3c52-6d0e-4b7e-9c55-1f7a3c526d0e'

it('opens what it sealed, under another text each time and one index', () => {
  const [first, second] = [vault.seal(token), vault.seal(token)]
  expect(vault.open(first.sealed)).toBe(token)
  expect(first.sealed).not.toBe(second.sealed)
  expect(first.index).toBe(second.index)
  expect(vault.indexOf(token.toUpperCase())).toBe(first.index)
})

it('refuses what was changed by one bit or cut, anywhere', () => {
  const { sealed } = vault.seal(token)
  const [id, nonce = '', text = ''] = sealed.split('.')
  const flip = (part: string) => {
    const bytes = Buffer.from(part, 'base64url')
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0)
    return bytes.toString('base64url')
  }
  const short = Buffer.from(text, 'base64url').subarray(0, -4).toString('base64url')
  for (const changed of [
    `${id}.${flip(nonce)}.${text}`,
    `${id}.${nonce}.${flip(text)}`,
    `${id}.${nonce}.${short}`,
    `${id}.${nonce}`,
    '',
  ]) {
    expect(() => vault.open(changed)).toThrow(Error)
  }
})

it('names the other secret key instead of failing without a reason', () => {
  const other = createTokenVault(deriveKeys(Buffer.alloc(32, 2)))
  expect(() => other.open(vault.seal(token).sealed)).toThrow('another secret key')
})
