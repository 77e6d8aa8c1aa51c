import { type CallArguments, login } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Signs in with a password; the session arrives as a cookie. */
export const signIn = (body: CallArguments<typeof login>['body']) => client.call(login, { body })
