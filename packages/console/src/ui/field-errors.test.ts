import { CallError } from '@homeport/contract'
import type { TFunction } from 'i18next'
import { describe, expect, it } from 'vitest'
import { readFieldErrors } from './field-errors.ts'

const t = ((key: string) => key) as unknown as TFunction<'common'>
const invalid = new CallError('invalid_input', {
  detail: '',
  errors: [
    { path: 'body.username', code: 'too_small', message: 'raw' },
    { path: 'username', code: 'invalid_format', message: 'raw' },
    { path: 'password', code: 'never_heard_of', message: 'raw' },
    { path: 'elsewhere', code: 'required', message: 'raw' },
  ],
})

describe('readFieldErrors', () => {
  it('words problems by code under their fields, never with the raw text', () => {
    expect(readFieldErrors(invalid, ['username', 'password', 'email'], t)).toEqual([
      { name: 'username', errors: ['field.too_small', 'field.invalid_format'] },
      { name: 'password', errors: ['field.other'] },
    ])
  })

  it('is empty for anything else', () => {
    expect(readFieldErrors(new Error('x'), ['username'], t)).toEqual([])
  })
})
