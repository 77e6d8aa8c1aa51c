import type { CaptchaKind } from '@homeport/contract'
import { createRateLimiter } from '@homeport/runtime'
import type { Kysely } from 'kysely'
import type { ServerContext } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { limitKeyOf } from '../http/request-facts.ts'
import type { Random } from './drawing/random.ts'
import { hasSessionFrom } from './store.ts'

/** Wrong passwords of all addresses together before addresses that nobody signed in from are asked. */
const strangerFailureBurst = 60

/** After that one each 10 s: a house full of forgetful people stays below, a list of stolen passwords does not. */
const strangerFailuresPerSecond = 1 / 10

/** Challenges of one address that were not answered rightly, wrongly or not at all, before it gets the kind that holds best: whoever waits for an easy one waits in vain. */
const vainChallengeBurst = 3

/** After that one each minute. */
const vainChallengesPerSecond = 1 / 60

/** Addresses remembered at once. */
const keyLimit = 20_000

// People read characters at a glance, and solvers of docs/captcha.md pass them least.
const usualWeights: Record<CaptchaKind, number> = { click: 6, slide: 1, slide_region: 2, rotate: 1 }

const wearyWeights: Record<CaptchaKind, number> = { click: 1, slide: 0, slide_region: 0, rotate: 0 }

/** What is known of an address beside its own failures at a door. */
export interface Risk {
  /** A password was wrong. */
  noteFailure(): void
  /** A challenge was answered rightly. */
  noteRightAnswer(address: string): void
  /** True while many passwords are wrong everywhere and nobody is known to have signed in from the address. */
  isStranger(address: string): Promise<boolean>
  /** The kind of the next challenge, which counts as one in vain until its right answer. */
  pickKind(address: string): CaptchaKind
}

/** Makes the memory of one server. */
export function createRisk(
  { clock }: Pick<ServerContext, 'clock'>,
  db: Kysely<Database>,
  random: Random,
): Risk {
  const failures = createRateLimiter({
    burst: strangerFailureBurst,
    perSecond: strangerFailuresPerSecond,
    keyLimit: 1,
    clock,
  })
  const vainChallenges = createRateLimiter({
    burst: vainChallengeBurst,
    perSecond: vainChallengesPerSecond,
    keyLimit,
    clock,
  })
  return {
    noteFailure: () => void failures.take('all'),
    noteRightAnswer: address => void vainChallenges.take(limitKeyOf(address), -1),
    async isStranger(address) {
      return !hasRoom(failures, 'all') && !(await hasSessionFrom(db, address))
    },
    pickKind(address) {
      const { isAllowed } = vainChallenges.take(limitKeyOf(address))
      return pick(random, isAllowed ? usualWeights : wearyWeights)
    },
  }
}

/** True where the key has a token left; takes none. */
export function hasRoom(limiter: ReturnType<typeof createRateLimiter>, key: string): boolean {
  if (!limiter.take(key).isAllowed) return false
  limiter.take(key, -1)
  return true
}

function pick(random: Random, weights: Record<CaptchaKind, number>): CaptchaKind {
  const entries = Object.entries(weights) as [CaptchaKind, number][]
  let rest = random() * entries.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [kind, weight] of entries) {
    rest -= weight
    if (rest < 0) return kind
  }
  return 'click'
}
