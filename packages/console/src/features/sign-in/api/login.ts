import { type CallArguments, finishSignIn, login } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Signs in with a password; the session arrives as a cookie. */
export const signIn = (body: CallArguments<typeof login>['body']) => client.call(login, { body })

/** Ends a sign-in that waits for its code, whatever way in began it. */
export const sendSecondStep = (code: string) =>
  client.call(finishSignIn, { body: { second_factor: code } })
