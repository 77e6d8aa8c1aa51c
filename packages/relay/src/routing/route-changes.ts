import type { Route, RouteKey } from '@homeport/contract/control'
import type { Resolver } from './resolver.ts'

/** What has to follow when a decision changes. */
export interface RouteChangesParts {
  readonly resolver: Resolver
  /** Keys that something open depends on now. */
  isInUse(key: RouteKey): boolean
  /** What this key leads to now; null: nowhere. */
  onDecided(key: RouteKey, route: Route | null): void
}

// A server that tells of thousands of changes at once must not be asked for all of them at once.
const askedTogether = 32

/** Makes changes of routes take effect on what is open already. */
export function createRouteChanges(parts: RouteChangesParts) {
  /** Asks what these lead to now. Where nobody can tell, what is open stays: the next welcome asks again. */
  async function recheck(keys: readonly RouteKey[]): Promise<void> {
    for (let start = 0; start < keys.length; start += askedTogether) {
      const group = keys.slice(start, start + askedTogether)
      await Promise.all(
        group.map(async key => {
          const resolution = await parts.resolver.recheck(key)
          if (resolution.allow) parts.onDecided(key, resolution.route)
          else if (resolution.code !== 'unavailable' && resolution.code !== 'busy') {
            parts.onDecided(key, null)
          }
        }),
      )
    }
  }

  return {
    recheck,
    /** The server said that these changed: memory forgets them at once, what is open follows. */
    apply(keys: readonly RouteKey[]): Promise<void> {
      parts.resolver.forget(keys)
      return recheck(keys.filter(key => key.kind === 'port' || parts.isInUse(key)))
    },
  }
}

/** The key that `keyText` was made of. */
export const keyOfText = (text: string): RouteKey =>
  text.startsWith(':')
    ? { kind: 'port', port: Number(text.slice(1)) }
    : { kind: 'host', host: text }
