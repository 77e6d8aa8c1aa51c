import type { Sessions } from '../accounts/sessions.ts'
import type { UserId } from '../accounts/user-id.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import type { RequestFacts } from '../http/request-facts.ts'
import type { SecondFactor } from '../second-factor/service.ts'

/** What was proved about the account, by the way in. */
export type SignInProof =
  /** One factor: a password, a text message, another service, a new account. The second one is asked for where it is set. */
  | { userId: UserId; factors: 'one'; code: string | undefined }
  /** Possession and user verification in one: a passkey. */
  | { userId: UserId; factors: 'both' }

/** The request that a sign-in came with. */
export interface SignInRequest {
  actor: Actor | null
  request: RequestFacts
  browser: { startSession(token: string): void }
}

/** The one place where a session begins. Every way in, today's and later ones, has to come through here. */
export interface SignInDoor {
  /**
   * Begins a session that nobody knew before and gives it to the browser; the one it came with ends. Throws
   * `second_factor_required`, `second_factor_wrong`, `rate_limited`, and then nothing has begun.
   */
  enter(proof: SignInProof, input: SignInRequest): Promise<{ id: number }>
}

/** Makes the door. */
export function createSignInDoor({
  sessions,
  secondFactor,
}: {
  sessions: Pick<Sessions, 'start' | 'findActor' | 'end'>
  secondFactor: Pick<SecondFactor, 'require' | 'isOn'>
}): SignInDoor {
  async function takeBack(token: string): Promise<void> {
    const started = await sessions.findActor(token)
    if (started !== null) await sessions.end(started, started.sessionId)
  }

  return {
    async enter(proof, { actor, request, browser }) {
      const { userId } = proof
      const wasOn =
        proof.factors === 'both' ||
        (await secondFactor.require(userId, proof.code, request.address))
      const token = await sessions.start(userId, request, actor)
      // Turning it on ends every session there is; one that begins in the same moment must not slip in behind that.
      if (!wasOn && (await secondFactor.isOn(userId))) {
        await takeBack(token)
        throw new AppError('second_factor_required')
      }
      browser.startSession(token)
      return { id: userId }
    },
  }
}
