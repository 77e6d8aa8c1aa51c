import type { RouteDecision, RouteKey } from '@homeport/contract/control'
import { type BoundedMap, createBoundedMap } from './bounded-map.ts'

/** A decision, or that none can be had now: the server is away (`unavailable`) or asked too much (`busy`). */
export type Resolution = RouteDecision | { readonly allow: false; readonly code: ResolverFailure }

/** Why there is no decision. */
export type ResolverFailure = 'unavailable' | 'busy'

/** Bounds of a resolver. */
export interface ResolverLimits {
  /** Allowing decisions kept (about 1 KiB each). */
  readonly allowedLimit: number
  /** Denying decisions kept, apart from the others: a flood of random names pushes out only its own kind. */
  readonly deniedLimit: number
  /** Questions to the server in flight; more are answered `busy`. */
  readonly askLimit: number
  /** A denial is believed no longer than this, whatever the server says. */
  readonly deniedMaxAgeMs: number
  /** How long beyond its age a decision serves while the server cannot be asked. */
  readonly staleLimitMs: number
  /** After a question that failed, a stale decision serves so long before the server is asked again. */
  readonly retryMs: number
}

/** Resolver bounds used where a caller names none. */
export const defaultResolverLimits: ResolverLimits = {
  allowedLimit: 10_000,
  deniedLimit: 2_000,
  askLimit: 256,
  deniedMaxAgeMs: 10_000,
  staleLimitMs: 60 * 60 * 1000,
  retryMs: 2_000,
}

/** What a resolver works with. `ask` rejects where the server does not answer. */
export interface ResolverParts {
  ask(key: RouteKey): Promise<RouteDecision>
  now(): number
  limits?: ResolverLimits
}

/** Turns keys into decisions, from memory where it can. */
export interface Resolver {
  /** The decision at once where it is in memory, else a promise that never rejects. */
  resolve(key: RouteKey): Resolution | Promise<Resolution>
  /** The same for our own needs: not bounded by the questions of visitors, which a flood may use up. */
  recheck(key: RouteKey): Resolution | Promise<Resolution>
  /** Forgets these: the server said that they changed. Questions in flight are asked again. */
  forget(keys: readonly RouteKey[]): void
  /** Everything has to be asked again, but may serve while the server is away: changes may have been missed. */
  expireAll(): void
}

interface Entry {
  readonly decision: RouteDecision
  freshUntil: number
  readonly staleUntil: number
  /** Entries of an older epoch are not fresh. */
  epoch: number
}

interface Question {
  isOutdated: boolean
  readonly answer: Promise<Resolution>
}

// A key that changes faster than the server answers is given up after so many tries.
const askTries = 3

/** One text for one place. */
export const keyText = (key: RouteKey): string => (key.kind === 'host' ? key.host : `:${key.port}`)

/** Makes a resolver with nothing in memory. */
export function createResolver(parts: ResolverParts): Resolver {
  const limits = parts.limits ?? defaultResolverLimits
  const allowed = createBoundedMap<string, Entry>(limits.allowedLimit)
  const denied = createBoundedMap<string, Entry>(limits.deniedLimit)
  const questions = new Map<string, Question>()
  let epoch = 0

  function remember(text: string, decision: RouteDecision): void {
    const mine: BoundedMap<string, Entry> = decision.allow ? allowed : denied
    const other = decision.allow ? denied : allowed
    const maxAgeMs = decision.allow
      ? decision.max_age_ms
      : Math.min(decision.max_age_ms, limits.deniedMaxAgeMs)
    const freshUntil = parts.now() + maxAgeMs
    other.delete(text)
    mine.set(text, { decision, freshUntil, staleUntil: freshUntil + limits.staleLimitMs, epoch })
  }

  function serveStale(entry: Entry | undefined, code: ResolverFailure): Resolution {
    const now = parts.now()
    if (entry === undefined || entry.staleUntil <= now) return { allow: false, code }
    entry.freshUntil = Math.max(entry.freshUntil, now + limits.retryMs)
    entry.epoch = epoch
    return entry.decision
  }

  async function ask(key: RouteKey, text: string, question: { isOutdated: boolean }) {
    for (let tries = 0; tries < askTries; tries += 1) {
      question.isOutdated = false
      let decision: RouteDecision
      try {
        decision = await parts.ask(key)
      } catch {
        // The control link logs its failures; for a visitor only what is remembered counts. Asked anew, because
        // an invalidation that came meanwhile has deleted it.
        return serveStale(allowed.get(text) ?? denied.get(text), 'unavailable')
      }
      if (question.isOutdated) continue
      remember(text, decision)
      return decision
    }
    return { allow: false, code: 'unavailable' } as const
  }

  function start(key: RouteKey, text: string): Promise<Resolution> {
    const state = { isOutdated: false }
    const answer = ask(key, text, state).finally(() => questions.delete(text))
    const question = Object.assign(state, { answer })
    questions.set(text, question)
    return answer
  }

  function look(key: RouteKey, askLimit: number): Resolution | Promise<Resolution> {
    const text = keyText(key)
    const entry = allowed.get(text) ?? denied.get(text)
    if (entry !== undefined && entry.epoch === epoch && entry.freshUntil > parts.now()) {
      return entry.decision
    }
    const question = questions.get(text)
    if (question !== undefined) return question.answer
    if (questions.size >= askLimit) return serveStale(entry, 'busy')
    return start(key, text)
  }

  return {
    resolve: key => look(key, limits.askLimit),
    recheck: key => look(key, Number.POSITIVE_INFINITY),
    forget(keys) {
      for (const key of keys) {
        const text = keyText(key)
        allowed.delete(text)
        denied.delete(text)
        const question = questions.get(text)
        if (question !== undefined) question.isOutdated = true
      }
    },
    expireAll() {
      epoch += 1
    },
  }
}
