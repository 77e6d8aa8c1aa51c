import { reauthenticate } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'

/** Makes the session a recent one; `wrong_password` where the password is not the user's. */
export const confirmPassword = (password: string) =>
  client.call(reauthenticate, { body: { password } })
