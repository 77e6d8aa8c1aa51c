import { type CallArguments, signUp } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Makes an account and signs it in. */
export const createAccount = (body: CallArguments<typeof signUp>['body']) =>
  client.call(signUp, { body })
