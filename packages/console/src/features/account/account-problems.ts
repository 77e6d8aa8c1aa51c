import type { CallError } from '@homeport/contract'

/** A problem at a field of the account's forms; `code` is the name of its sentence. */
export type AccountProblem =
  | { field: 'username'; code: 'taken' | 'invalid' }
  | { field: 'old_password'; code: 'wrong' | 'required' }
  | { field: 'new_password'; code: 'short' | 'long' | 'weak' | 'invalid' }

/** The problems of a refused change that belong to a field of its form; empty where none does. */
export function placeAccountProblems(error: Pick<CallError, 'code' | 'errors'>): AccountProblem[] {
  switch (error.code) {
    case 'username_taken':
      return [{ field: 'username', code: 'taken' }]
    case 'wrong_password':
      return [{ field: 'old_password', code: 'wrong' }]
    default:
      return error.errors.flatMap(({ path, code }) => {
        const problem = placeProblem(path.replace(/^body\./, ''), code)
        return problem === undefined ? [] : [problem]
      })
  }
}

const passwordProblems: Record<string, 'short' | 'long' | 'weak'> = {
  too_small: 'short',
  too_big: 'long',
  too_weak: 'weak',
}

function placeProblem(field: string, code: string): AccountProblem | undefined {
  switch (field) {
    case 'username':
      return { field, code: 'invalid' }
    case 'old_password':
      return { field, code: 'required' }
    case 'new_password':
      return { field, code: passwordProblems[code] ?? 'invalid' }
    default:
      return undefined
  }
}
