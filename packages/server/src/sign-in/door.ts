import { type SignInWay, signInWays } from '@homeport/contract'
import type { Leaving } from '../accounts/leaving.ts'
import { leavingSignIn, type Sessions, waitingSignIn } from '../accounts/sessions.ts'
import { parseUserId, type UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import {
  attemptSingleUse,
  findSingleUse,
  type KeptUse,
  keepSingleUse,
  type SingleUse,
  takeSingleUse,
} from '../db/single-use.ts'
import type { Actor } from '../http/actor.ts'
import { AppError } from '../http/app-error.ts'
import { limitKeyOf, type RequestFacts } from '../http/request-facts.ts'
import type { SecondFactor } from '../second-factor/service.ts'

/** Between the first step and the code may lie this many ms. */
const secondStepMs = 5 * 60 * 1000

/** Codes that one first step is good for; what holds guessing is the limit of codes for an account. */
const secondStepTries = 5

/** How long after signing in an account that is leaving may be restored without signing in anew, in ms. */
const restorationMs = 5 * 60 * 1000

/** How often the page that asks about it may be loaded in that time. */
const restorationLooks = 50

/** What was proved about the account, by the way in. */
export type SignInProof =
  /** One factor: a password, a text message, another service, a new account. The second one is asked for where it is set. */
  | {
      userId: UserId
      /** The account's, from before this was proved (`Sessions.epochOf`). */
      epoch: number
      factors: 'one'
      code: string | undefined
      way: Exclude<SignInWay, 'passkey' | 'unknown'>
      /**
       * Epoch ms at which it was really proved, where that was not now (0 where nobody knows): whoever holds an open session
       * elsewhere must not make a recent one of it.
       */
      authenticatedAt?: number | undefined
    }
  /** Possession and user verification in one: a passkey. */
  | { userId: UserId; epoch: number; factors: 'both' }

/** The request that a sign-in came with. */
export interface SignInRequest {
  actor: Actor | null
  request: RequestFacts
  browser: { readonly csrfValue: string; startSession(token: string): void }
}

/** The one place where a session begins. Every way in, today's and later ones, has to come through here. */
export interface SignInDoor {
  /**
   * Begins a session that nobody knew before and gives it to the browser; the one it came with ends. Throws
   * `second_factor_required`, `second_factor_wrong`, `rate_limited`, `account_leaving`, and `sign_in_expired` where all sessions
   * of the account were ended since it was proved; then nothing has begun. After the first of these what was proved is kept for
   * `finish`: a password, a captcha, a text message are not asked for again. After `account_leaving`, which comes only when all
   * was proved, it is kept for `restore`.
   */
  enter(proof: SignInProof, input: SignInRequest): Promise<{ id: number }>
  /**
   * Ends the sign-in that waits for its code in this browser, from this address. Throws `second_factor_wrong`,
   * `rate_limited`, and `sign_in_expired` where none waits: too late, too many codes, the password changed meanwhile.
   */
  finish(code: string, input: SignInRequest): Promise<{ id: number }>
  /** Whose account waits in this browser to be restored, and when it goes; throws `sign_in_expired` where none does. */
  readRestoration(input: SignInRequest): Promise<{ userId: UserId; deletesAt: number }>
  /** Restores that account and begins a session; throws `sign_in_expired`. */
  restore(input: SignInRequest): Promise<{ id: number }>
}

/** What the first step proved, how, when (epoch ms), and in which epoch of the account. */
interface Proved {
  userId: UserId
  epoch: number
  way: SignInWay
  provedAt: number
}

/** Makes the door. */
export function createSignInDoor(
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  {
    sessions,
    secondFactor,
    leaving,
  }: {
    sessions: Pick<Sessions, 'start'>
    secondFactor: Pick<SecondFactor, 'require' | 'isOn'>
    leaving: Pick<Leaving, 'deletesAt' | 'restore'>
  },
): SignInDoor {
  async function waitForCode(proved: Proved, input: SignInRequest): Promise<never> {
    await keepSingleUse(db, {
      ...waitingOf(waitingSignIn, input),
      userId: proved.userId,
      value: writeProved(proved),
      tries: secondStepTries,
      expiresAt: clock.now() + secondStepMs,
    })
    throw new AppError('second_factor_required')
  }

  async function offerRestoration(
    proved: Proved,
    hasShownBoth: boolean,
    input: SignInRequest,
  ): Promise<never> {
    await keepSingleUse(db, {
      ...waitingOf(leavingSignIn, input),
      userId: proved.userId,
      value: `${writeProved(proved)}${hasShownBoth ? bothShown : ''}`,
      tries: restorationLooks,
      expiresAt: clock.now() + restorationMs,
    })
    throw new AppError('account_leaving')
  }

  async function begin(proved: Proved, hasShownBoth: boolean, input: SignInRequest) {
    const { userId, epoch, way, provedAt } = proved
    const { actor, request, browser } = input
    if ((await leaving.deletesAt(userId)) !== null)
      return offerRestoration(proved, hasShownBoth, input)
    // A new password, a second factor turned on, the wish to leave: each ends the epoch, and what was proved in it begins nothing.
    const place = { ...request, way, hasSecondFactor: hasShownBoth, epoch }
    const token = await sessions.start(userId, place, actor, provedAt)
    browser.startSession(token)
    return { id: userId }
  }

  return {
    async enter(proof, input) {
      const { userId, epoch } = proof
      const now = clock.now()
      if (proof.factors === 'both') {
        return begin({ userId, epoch, way: 'passkey', provedAt: now }, true, input)
      }
      const proved = { userId, epoch, way: proof.way, provedAt: proof.authenticatedAt ?? now }
      if (proof.code === undefined && (await secondFactor.isOn(userId))) {
        return waitForCode(proved, input)
      }
      const hasShownBoth = await secondFactor.require(userId, proof.code, input.request.address)
      return begin(proved, hasShownBoth, input)
    },

    async finish(code, input) {
      const use = { ...waitingOf(waitingSignIn, input), now: clock.now() }
      const waiting = await findSingleUse(db, use)
      if (waiting === undefined) throw new AppError('sign_in_expired')
      const proved = readProved(waiting)
      const { address } = input.request
      // Only a code that is looked at costs a try: whoever slows the account down must not end the sign-ins of its owner.
      const hasShownBoth = await secondFactor.require(proved.userId, code, address, async () => {
        if ((await attemptSingleUse(db, use)) === undefined) throw new AppError('sign_in_expired')
      })
      // Gone meanwhile: a password was changed, or another request of this browser was first.
      if ((await takeSingleUse(db, use)) === undefined) throw new AppError('sign_in_expired')
      return begin(proved, hasShownBoth, input)
    },

    async readRestoration(input) {
      const use = { ...waitingOf(leavingSignIn, input), now: clock.now() }
      const waiting = await attemptSingleUse(db, use)
      if (waiting === undefined) throw new AppError('sign_in_expired')
      const { userId } = readProved(waiting)
      const deletesAt = await leaving.deletesAt(userId)
      if (deletesAt === null) throw new AppError('sign_in_expired')
      return { userId, deletesAt }
    },

    async restore(input) {
      const use = { ...waitingOf(leavingSignIn, input), now: clock.now() }
      const waiting = await takeSingleUse(db, use)
      if (waiting === undefined) throw new AppError('sign_in_expired')
      const proved = readProved(waiting)
      // What was shown then, not what the account asks for now: its owner may have come back elsewhere and turned it on.
      const hasShownBoth = waiting.value.endsWith(bothShown)
      await leaving.restore(proved.userId)
      // Restoring ended the epoch of the proof itself; where the present one is not the next, something else ended one too.
      return begin({ ...proved, epoch: proved.epoch + 1 }, hasShownBoth, input)
    },
  }
}

/** Ends what is kept of a sign-in that showed the second factor too. */
const bothShown = ' both'

const writeProved = ({ way, provedAt, epoch }: Proved): string => `${way} ${provedAt} ${epoch}`

function readProved({ userId, value }: KeptUse): Proved {
  const [word, provedAt, written] = value.split(' ')
  const way = signInWays.find(each => each === word) ?? 'unknown'
  // Kept by a version that wrote no epoch: of one that never was.
  const epoch = /^\d+$/.test(written ?? '') ? Number(written) : -1
  return { userId: parseUserId(userId ?? 0), epoch, way, provedAt: Number(provedAt) }
}

// The CSRF value is an HMAC of the cookie that this browser alone holds: another one, or an address elsewhere, finds nothing.
const waitingOf = (purpose: string, { request, browser }: SignInRequest): SingleUse => ({
  purpose,
  key: browser.csrfValue,
  binding: limitKeyOf(request.address),
})
