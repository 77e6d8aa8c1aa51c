import { type CallArguments, setUp } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Makes the administrator with the one-time code and signs them in. */
export const makeAdministrator = (body: CallArguments<typeof setUp>['body']) =>
  client.call(setUp, { body })
