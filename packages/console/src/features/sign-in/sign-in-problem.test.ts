import { CallError, type CallFailureCode } from '@homeport/contract'
import { describe, expect, it } from 'vitest'
import { sortSignInProblem } from './sign-in-problem.ts'

const failure = (code: CallFailureCode, retryAfterSeconds?: number) =>
  new CallError(code, { detail: '', retryAfterSeconds })

describe('sortSignInProblem', () => {
  it('puts problems under their fields by code', () => {
    expect(sortSignInProblem(failure('invalid_credentials'))).toMatchObject({ at: 'password' })
    expect(sortSignInProblem(failure('username_taken'))).toMatchObject({ at: 'username' })
    expect(sortSignInProblem(failure('invite_invalid'))).toMatchObject({ at: 'invite' })
    expect(sortSignInProblem(failure('second_factor_wrong'))).toMatchObject({ at: 'code' })
    expect(sortSignInProblem(failure('sms_code_wrong'))).toMatchObject({ at: 'code' })
    expect(sortSignInProblem(failure('invalid_input'))).toEqual({ at: 'fields' })
  })

  it.each([
    [12, 12],
    [undefined, 30],
    [0, 1],
    [999_999, 3600],
  ])('waits for Retry-After %s as %s s', (given, waited) => {
    expect(sortSignInProblem(failure('rate_limited', given))).toEqual({
      at: 'form',
      waitSeconds: waited,
    })
  })

  it('waits for nothing where time does not help', () => {
    for (const error of [failure('network'), failure('internal'), new Error('x')]) {
      expect(sortSignInProblem(error)).toEqual({ at: 'form', waitSeconds: 0 })
    }
  })
})
