import { randomBytes } from 'node:crypto'
import {
  type Captcha,
  type CaptchaKind,
  type CaptchaScene,
  type CaptchaTrace,
  type CaptchaValue,
  workKind,
} from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { ServerContext } from '../context.ts'
import { keepSingleUse, type SingleUse, takeSingleUse } from '../db/single-use.ts'
import { AppError } from '../http/app-error.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import { type Answer, isRightAnswer } from './answers.ts'
import { createDrawingPool, type DrawingPool } from './drawing/drawing-pool.ts'
import { createSystemRandom } from './drawing/random.ts'
import { createRisk, type Risk } from './risk.ts'
import { workSize } from './work.ts'

/** A challenge may be answered for 2 minutes. */
const challengeTimeoutMs = 2 * 60 * 1000

/** A ticket may be used for 5 minutes. */
const ticketTimeoutMs = 5 * 60 * 1000

/** Challenges that one address gets in a burst. */
const challengeBurst = 20

/** After that one each 3 s. */
const challengesPerSecond = 1 / 3

/** Challenges by work that one address gets in a burst: a program computes as well as a person's browser, so few are the guard. */
const workBurst = 3

/** After that one each 20 minutes. */
const workPerSecond = 1 / 1200

/** Addresses remembered at once. */
const keyLimit = 20_000

/** What is kept of an open challenge. */
export interface KeptChallenge {
  scene: CaptchaScene
  kept: Answer
}

/** Challenges and their tickets. */
export interface Captchas {
  /** Makes a challenge; the kind is the server's choice unless told. Throws `rate_limited`, `busy`. */
  create(
    scene: CaptchaScene,
    address: string,
    kind?: CaptchaKind | typeof workKind,
  ): Promise<Captcha>
  /** Judges the one try of a challenge; answers its ticket. Throws `captcha_wrong`. */
  solve(
    input: { key: string; value: CaptchaValue; trace?: CaptchaTrace | undefined },
    address: string,
  ): Promise<string>
  /** Uses a ticket up; false where it is unknown, used, expired or of another scene or address. */
  takeTicket(ticket: string, scene: CaptchaScene, address: string): Promise<boolean>
  readonly risk: Risk
  readonly pool: Pick<DrawingPool, 'warm' | 'stop'>
}

/** Makes the service. */
export function createCaptchas(context: ServerContext): Captchas {
  const { db, clock, logger } = context
  const random = createSystemRandom()
  const pool = createDrawingPool({ clock, logger })
  const risk = createRisk(context, db, random)
  const challenges = createRateLimiter({
    burst: challengeBurst,
    perSecond: challengesPerSecond,
    keyLimit,
    clock,
  })
  const works = createRateLimiter({ burst: workBurst, perSecond: workPerSecond, keyLimit, clock })

  const limit = (limiter: typeof challenges, address: string) => {
    const answer = limiter.take(limitKeyOf(address))
    if (answer.isAllowed) return
    throw new AppError('rate_limited', { retryAfterSeconds: Math.ceil(answer.retryAfterMs / 1000) })
  }

  async function make(
    kind: CaptchaKind | typeof workKind,
    key: string,
  ): Promise<{ shown: Captcha; kept: Answer }> {
    if (kind === workKind) {
      const answer = { salt: createSecret(), ...workSize }
      return { shown: { key, kind, ...answer }, kept: { kind, answer } }
    }
    const drawn = await pool.take(kind)
    return {
      shown: { key, kind: drawn.kind, ...drawn.data } as Captcha,
      kept: { kind: drawn.kind, answer: drawn.answer } as Answer,
    }
  }

  return {
    async create(scene, address, asked) {
      limit(challenges, address)
      if (asked === workKind) limit(works, address)
      const key = createSecret()
      const { shown, kept } = await make(asked ?? risk.pickKind(address), key)
      const value: KeptChallenge = { scene, kept }
      await keepSingleUse(db, {
        ...challengeOf(key, address),
        value: JSON.stringify(value),
        expiresAt: clock.now() + challengeTimeoutMs,
      })
      return shown
    },

    async solve({ key, value, trace }, address) {
      const now = clock.now()
      const taken = await takeSingleUse(db, { ...challengeOf(key, address), now })
      const challenge = taken === undefined ? undefined : (JSON.parse(taken.value) as KeptChallenge)
      if (challenge === undefined || !isRightAnswer(challenge.kept, value, trace)) {
        throw new AppError('captcha_wrong')
      }
      risk.noteRightAnswer(address)
      const ticket = createSecret()
      const use = ticketOf(ticket, challenge.scene, address)
      await keepSingleUse(db, { ...use, expiresAt: now + ticketTimeoutMs })
      return ticket
    },

    async takeTicket(ticket, scene, address) {
      const use = { ...ticketOf(ticket, scene, address), now: clock.now() }
      return (await takeSingleUse(db, use)) !== undefined
    },
    risk,
    pool,
  }
}

const createSecret = () => randomBytes(24).toString('base64url')

const challengeOf = (key: string, address: string): SingleUse => ({
  purpose: 'captcha',
  key,
  binding: limitKeyOf(address),
})

const ticketOf = (ticket: string, scene: CaptchaScene, address: string): SingleUse => ({
  purpose: 'captcha ticket',
  key: ticket,
  binding: `${scene} ${limitKeyOf(address)}`,
})
