import type { addPasskey, CallArguments, signInWithPasskey } from '@homeport/contract'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser'

/** Thrown where the user closed the browser's question, let it time out, or has no passkey here: nothing went wrong. */
export class CeremonyEnded extends Error {
  override readonly name = 'CeremonyEnded'
}

/** Thrown where the authenticator holds a passkey of this account already. */
export class PasskeyKnown extends Error {}

type CreationAnswer = CallArguments<typeof addPasskey>['body']['response']
type SignInAnswer = CallArguments<typeof signInWithPasskey>['body']['response']

/** Has the browser make a passkey. */
export const createPasskey = (options: object): Promise<CreationAnswer> =>
  tell(() =>
    startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }),
  ) as Promise<CreationAnswer>

/** Has the browser ask for a passkey and its owner. */
export const askPasskey = (options: object): Promise<SignInAnswer> =>
  tell(() =>
    startAuthentication({ optionsJSON: options as PublicKeyCredentialRequestOptionsJSON }),
  ) as Promise<SignInAnswer>

async function tell<T>(ceremony: () => Promise<T>): Promise<T> {
  try {
    return await ceremony()
  } catch (error) {
    const name = error instanceof Error ? error.name : ''
    if (name === 'NotAllowedError' || name === 'AbortError') {
      throw new CeremonyEnded('the user ended it', { cause: error })
    }
    if (name === 'InvalidStateError') throw new PasskeyKnown('known already', { cause: error })
    throw error
  }
}
