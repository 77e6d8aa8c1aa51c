import {
  beginPasskeySignIn,
  reauthenticate,
  reauthenticateWithIdentity,
  reauthenticateWithPasskey,
  reauthenticateWithPhone,
} from '@homeport/contract'
import { client } from '../../../app/api-client.ts'
import { goToProvider } from '../../sso/api/start.ts'

/** Makes the session a recent one; `wrong_password` where the password is not the user's. */
export const confirmPassword = (password: string) =>
  client.call(reauthenticate, { body: { password } })

/** The same with a code that was sent to the own number, for accounts without a password. */
export const confirmCode = (code: string) =>
  client.call(reauthenticateWithPhone, { body: { code } })

/** The same with one of the own passkeys. */
export async function confirmPasskey(): Promise<unknown> {
  const { options } = await client.call(beginPasskeySignIn, {})
  const { askPasskey } = await import('../../second-factor/ceremony.ts')
  const response = await askPasskey(options)
  return client.call(reauthenticateWithPasskey, { body: { response } })
}

/** The same at another service that is linked: the browser goes there and comes back to /check. */
export const confirmAtProvider = async (provider: string) =>
  goToProvider(await client.call(reauthenticateWithIdentity, { body: { provider } }))
