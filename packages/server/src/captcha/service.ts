import { createHash, randomBytes } from 'node:crypto'
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
import { AppError } from '../http/app-error.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import { type Answer, isRightAnswer } from './answers.ts'
import { createDrawingPool, type DrawingPool } from './drawing/drawing-pool.ts'
import { createSystemRandom } from './drawing/random.ts'
import { createRisk, type Risk } from './risk.ts'
import { deleteOldCaptchas, giveTicket, insertCaptcha, takeCaptcha, takeTicket } from './store.ts'
import { workBits } from './work.ts'

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
  /** Removes what is over. */
  removeOld(): Promise<void>
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
      const answer = { salt: createSecret(), bits: workBits }
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
      const now = clock.now()
      await insertCaptcha(db, {
        key_hash: hashOf(key),
        scene,
        kind: kept.kind,
        limit_key: limitKeyOf(address),
        answer: JSON.stringify(kept.answer),
        created_at: now,
        expires_at: now + challengeTimeoutMs,
      })
      return shown
    },

    async solve({ key, value, trace }, address) {
      const keyHash = hashOf(key)
      const now = clock.now()
      const row = await takeCaptcha(db, { keyHash, limitKey: limitKeyOf(address), now })
      const isRight =
        row !== undefined &&
        isRightAnswer({ kind: row.kind, answer: JSON.parse(row.answer) } as Answer, value, trace)
      if (!isRight) {
        risk.noteWrongAnswer(address)
        throw new AppError('captcha_wrong')
      }
      const ticket = createSecret()
      await giveTicket(db, {
        keyHash,
        ticketHash: hashOf(ticket),
        expiresAt: now + ticketTimeoutMs,
      })
      return ticket
    },

    takeTicket: (ticket, scene, address) =>
      takeTicket(db, {
        ticketHash: hashOf(ticket),
        scene,
        limitKey: limitKeyOf(address),
        now: clock.now(),
      }),

    async removeOld() {
      await deleteOldCaptchas(db, clock.now())
    },
    risk,
    pool,
  }
}

const createSecret = () => randomBytes(24).toString('base64url')

const hashOf = (secret: string) => createHash('sha256').update(secret).digest('base64url')
