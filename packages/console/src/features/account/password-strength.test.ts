import { expect, it } from 'vitest'
import { ratePassword } from './password-strength.ts'

it.each([
  ['1234567', 'short'],
  ['12345678', 'weak'],
  ['hgfedcba', 'weak'],
  ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
  ['alice-2026', 'weak'],
  ['password', 'weak'],
  ['sunset4417', 'fair'],
  ['correct horse battery', 'strong'],
  ['Kp7-vx2-Qm9q', 'strong'],
])('%s is %s', (password, strength) => {
  expect(ratePassword(password, 'alice')).toBe(strength)
})

it('does not trip over an empty name', () => {
  expect(ratePassword('correct horse battery', '')).toBe('strong')
})
