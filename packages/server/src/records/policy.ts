import { type AccessWay, type ErrorCode, parseTarget, type RecordKind } from '@homeport/contract'

/** Records one device may have. Plans lower it later; the bound keeps lists and port pool in proportion. */
export const recordLimitPerDevice = 100

/** A released name rests this long for its last owner: 30 days (decisions.md section 3). */
export const nameRestMs = 30 * 24 * 60 * 60 * 1000

/** Names that rest for one user at once; beyond that those that rested longest are free, so nobody hoards by renaming. */
export const restingNameLimit = 1000

const targetSchemes: Record<RecordKind, readonly string[]> = {
  http: ['http', 'https'],
  tcp: ['tcp'],
}

/** True where the home side speaks what the visitor's side carries. */
export function targetFitsKind(kind: RecordKind, target: string): boolean {
  const parsed = parseTarget(target)
  return parsed.ok && targetSchemes[kind].includes(parsed.scheme)
}

/**
 * The ways in that a record gets: `owner` for http where none is named. Raw tcp has no page to sign in at, so it
 * takes `public` alone, and takes it only when somebody said so.
 */
export function decideAccess(
  kind: RecordKind,
  asked: readonly AccessWay[] | undefined,
): { ok: true; access: AccessWay[] } | { ok: false; code: ErrorCode } {
  const access = [...new Set(asked ?? (kind === 'http' ? (['owner'] as const) : []))]
  if (kind === 'tcp' && (access.length !== 1 || access[0] !== 'public')) {
    return { ok: false, code: 'access_needs_http' }
  }
  return { ok: true, access }
}
