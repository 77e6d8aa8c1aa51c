import { beginPasskeySignIn, signInWithPasskey } from '@homeport/contract'
import { client } from '../../../app/api-client.ts'
import { askPasskey } from '../ceremony.ts'

/** Lets the authenticator pick a passkey and signs in with it; the session arrives as a cookie. */
export async function signInByPasskey(): Promise<{ id: number }> {
  const { options } = await client.call(beginPasskeySignIn, {})
  const response = await askPasskey(options)
  return client.call(signInWithPasskey, { body: { response } })
}
