import type { Route, RouteDecision, RouteKey } from '@homeport/contract/control'
import { hostOfName, labelUnder, type NameUrlConfig } from '../records/name-urls.ts'
import { accessOf, optionsOf } from '../records/present.ts'
import type { StoredRoute } from './store.ts'

/** A relay asks again after this long in ms, should a push ever get lost. */
const allowedMaxAgeMs = 10 * 60 * 1000

/** Denials are asked again sooner: their number is whatever strangers type. */
const deniedMaxAgeMs = 30_000

/** Where a key has to be looked up; null for a host that is no name of this deployment. */
export type KeyPlace = { name: string } | { port: number } | null

/** Reads a key. */
export function placeOf(key: RouteKey, config: NameUrlConfig): KeyPlace {
  if (key.kind === 'port') return { port: key.port }
  const name = labelUnder(key.host.toLowerCase(), config.tunnelDomain)
  return name === null ? null : { name }
}

/** The route as relays get it. */
export function presentRoute(row: StoredRoute, config: NameUrlConfig): Route {
  return {
    record: row.id,
    device: row.uid,
    device_id: row.device_id,
    owner: row.user_id,
    kind: row.kind,
    host: hostOfName(config, row.name),
    port: row.port,
    target: row.target,
    access: accessOf(row),
    options: optionsOf(row),
  }
}

/** The answer to "where does this lead". */
export function decideRoute(row: StoredRoute | undefined, config: NameUrlConfig): RouteDecision {
  const denied = (code: 'unknown_name' | 'record_disabled' | 'device_paused'): RouteDecision => ({
    allow: false,
    code,
    max_age_ms: deniedMaxAgeMs,
  })
  if (row === undefined) return denied('unknown_name')
  if (row.enabled !== 1) return denied('record_disabled')
  if (row.paused === 1) return denied('device_paused')
  return { allow: true, route: presentRoute(row, config), max_age_ms: allowedMaxAgeMs }
}
