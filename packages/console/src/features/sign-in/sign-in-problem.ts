import { CallError } from '@homeport/contract'

/** Where the trouble of a sign-in or sign-up is to be shown. */
export type SignInProblem =
  | {
      at: 'password' | 'username' | 'invite' | 'code'
      text: 'credentials' | 'taken' | 'inviteInvalid' | 'codeWrong' | 'smsCodeWrong'
    }
  | { at: 'fields' }
  | { at: 'form'; waitSeconds: number }

const least = 1
const most = 3600

/** Sorts a failure by its code. A refusal for too many attempts without Retry-After waits 30 s. */
export function sortSignInProblem(error: unknown): SignInProblem {
  if (!(error instanceof CallError)) return { at: 'form', waitSeconds: 0 }
  switch (error.code) {
    case 'invalid_credentials':
      return { at: 'password', text: 'credentials' }
    case 'username_taken':
      return { at: 'username', text: 'taken' }
    case 'invite_invalid':
      return { at: 'invite', text: 'inviteInvalid' }
    case 'second_factor_wrong':
      return { at: 'code', text: 'codeWrong' }
    case 'sms_code_wrong':
      return { at: 'code', text: 'smsCodeWrong' }
    case 'invalid_input':
      return { at: 'fields' }
    case 'rate_limited':
    case 'busy': {
      const seconds = error.retryAfterSeconds ?? 30
      return { at: 'form', waitSeconds: Math.min(Math.max(seconds, least), most) }
    }
    default:
      return { at: 'form', waitSeconds: 0 }
  }
}
