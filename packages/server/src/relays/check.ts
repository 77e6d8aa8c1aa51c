import { type checkDomainConnection, checkSteps } from '@homeport/contract'
import type { z } from 'zod'
import type { UserId } from '../accounts/user-id.ts'
import type { ServerContext } from '../context.ts'
import { AppError } from '../http/app-error.ts'
import type { Language } from '../http/language.ts'
import { hintFor } from './check-hints.ts'
import type { RelayHub } from './hub.ts'
import type { LookupResult } from './name-lookup.ts'
import { presentRoute } from './route.ts'
import { findOwnRoute, type StoredRoute } from './store.ts'

type CheckAnswer = z.output<(typeof checkDomainConnection)['responses'][200]>
type CheckStep = CheckAnswer['steps'][number]

/** What a check works with. */
export interface CheckParts {
  context: Pick<ServerContext, 'db' | 'clock' | 'config'>
  hub: Pick<RelayHub, 'probe' | 'isOnline' | 'anyRelayOnline'>
  lookUpName(host: string): Promise<LookupResult>
}

/** Which record is checked, for whom. */
export interface CheckAsked {
  owner: UserId
  device: number
  record: number
  language: Language
}

/**
 * Tries the way of a visitor, step by step, up to the first that fails. Throws `not_found` where the record is not the
 * owner's or not of that device. Always lists all five steps.
 */
export async function checkConnection(parts: CheckParts, asked: CheckAsked): Promise<CheckAnswer> {
  const row = await findOwnRoute(parts.context.db, asked.owner, asked.device, asked.record)
  if (row === undefined) throw new AppError('not_found')
  const tried: CheckStep[] = []
  for await (const step of trySteps(parts, row, asked.language)) {
    tried.push(step)
    if (step.ok !== true) break
  }
  const steps = checkSteps.map(name => tried.find(({ step }) => step === name) ?? unreached(name))
  return { ok: steps.every(({ ok }) => ok === true), steps }
}

async function* trySteps(
  { context, hub, lookUpName }: CheckParts,
  row: StoredRoute,
  language: Language,
): AsyncGenerator<CheckStep> {
  const judge = (step: CheckStep['step'], code: string, ms: number | null = null): CheckStep =>
    code === 'ok'
      ? { step, ok: true, ms, code, hint: '' }
      : { step, ok: false, ms, code, hint: hintFor(code, language) }

  const route = presentRoute(row, context.config)
  const startedAt = context.clock.monotonicMs()
  const found = await lookUpName(route.host)
  const lookupMs = Math.round(context.clock.monotonicMs() - startedAt)
  yield judge('dns', found === 'found' ? 'ok' : `dns_${found}`, lookupMs)

  if (!hub.anyRelayOnline()) yield judge('relay', 'relay_unavailable')
  // The relay is told to lead nobody there: that is where a visitor's way ends.
  if (row.enabled !== 1) yield judge('relay', 'record_disabled')
  if (row.paused === 1) yield judge('relay', 'device_paused')
  if (!hub.isOnline(route.device)) {
    yield judge('relay', 'ok')
    yield judge('device', 'device_offline')
  }
  const probed = await hub.probe(route)
  if (probed === null) return yield judge('relay', 'relay_unavailable')
  yield judge('relay', 'ok')
  for (const step of probed) {
    yield step.ok === false ? { ...step, hint: hintFor(step.code, language, step.hint) } : step
  }
}

const unreached = (step: CheckStep['step']): CheckStep => ({
  step,
  ok: null,
  ms: null,
  code: '',
  hint: '',
})
