import type { CallError } from '@homeport/contract'

/** A problem at a field of the account's forms; `code` is the name of its sentence. */
export type AccountProblem =
  | { field: 'username'; code: 'taken' | 'invalid' }
  | { field: 'email'; code: 'taken' | 'invalid' }
  | { field: 'old_password'; code: 'wrong' | 'required' }
  | { field: 'new_password'; code: 'short' | 'long' | 'invalid' }

/** The problems of a refused change that belong to a field of its form; empty where none does. */
export function placeAccountProblems(error: Pick<CallError, 'code' | 'errors'>): AccountProblem[] {
  switch (error.code) {
    case 'username_taken':
      return [{ field: 'username', code: 'taken' }]
    case 'email_taken':
      return [{ field: 'email', code: 'taken' }]
    case 'wrong_password':
      return [{ field: 'old_password', code: 'wrong' }]
    default:
      return error.errors.flatMap(({ path, code }) => {
        const problem = placeProblem(path.replace(/^body\./, ''), code)
        return problem === undefined ? [] : [problem]
      })
  }
}

function placeProblem(field: string, code: string): AccountProblem | undefined {
  switch (field) {
    case 'username':
    case 'email':
      return { field, code: 'invalid' }
    case 'old_password':
      return { field, code: 'required' }
    case 'new_password':
      if (code === 'too_small') return { field, code: 'short' }
      return { field, code: code === 'too_big' ? 'long' : 'invalid' }
    default:
      return undefined
  }
}
