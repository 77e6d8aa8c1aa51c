import { expect, it } from 'vitest'
import { maskToken } from './mask-token.ts'

it('shows both ends only', () => {
  expect(maskToken('3f2b8c10-9a4e-4d6f-8b21-c0ffee12a9d4')).toBe('3f2b••••a9d4')
})

it('hides short texts whole', () => {
  expect(maskToken('secret')).toBe('••••••••')
  expect(maskToken('')).toBe('••••••••')
})
