import { expect, it } from 'vitest'
import { isPairing } from './pairing.ts'

it('takes 22 characters of base64url and nothing else', () => {
  expect(isPairing('AAAAAAAAAA-_AAAAAAAAAA')).toBe(true)
  expect(isPairing('')).toBe(false)
  expect(isPairing('AAAAAAAAAA-_AAAAAAAAA')).toBe(false)
  expect(isPairing('../../AAAAAAAAAAAAAAAA')).toBe(false)
})
