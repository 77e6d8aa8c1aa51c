import { type CallArguments, checkSso, confirmSso, type SsoFinished } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** What a provider came back with. */
export type SsoReturn = CallArguments<typeof checkSso>['query']

/** Finishes a sign-on. */
export const finishSignOn = (query: SsoReturn): Promise<SsoFinished> =>
  client.call(checkSso, { query })

/** Finishes it with the code of the second step. */
export const confirmSignOn = (answer: SsoReturn, code: string): Promise<SsoFinished> =>
  client.call(confirmSso, { body: { ...answer, second_factor: code } })
