import { expect, it } from 'vitest'
import { placeAccountProblems } from './account-problems.ts'

const invalid = (path: string, code: string) => ({
  code: 'invalid_input' as const,
  errors: [{ path, code, message: 'not shown' }],
})

it('knows the refusals that belong to one field', () => {
  expect(placeAccountProblems({ code: 'username_taken', errors: [] })).toEqual([
    { field: 'username', code: 'taken' },
  ])
  expect(placeAccountProblems({ code: 'wrong_password', errors: [] })).toEqual([
    { field: 'old_password', code: 'wrong' },
  ])
})

it.each([
  ['username', 'invalid_format', { field: 'username', code: 'invalid' }],
  ['old_password', 'too_small', { field: 'old_password', code: 'required' }],
  ['new_password', 'too_small', { field: 'new_password', code: 'short' }],
  ['new_password', 'too_big', { field: 'new_password', code: 'long' }],
  ['new_password', 'too_weak', { field: 'new_password', code: 'weak' }],
  ['new_password', 'common', { field: 'new_password', code: 'invalid' }],
])('puts %s %s at its field', (path, code, problem) => {
  expect(placeAccountProblems(invalid(path, code))).toEqual([problem])
})

it('leaves the rest to the form as a whole', () => {
  expect(placeAccountProblems({ code: 'busy', errors: [] })).toEqual([])
  expect(placeAccountProblems(invalid('accepted_terms_of_service', 'invalid_value'))).toEqual([])
})
