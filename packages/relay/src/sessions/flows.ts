import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'

/** One visitor's stream to a record, while it is open. */
export interface Flow {
  /** `keyText` of where the visitor knocked. */
  readonly key: string
  readonly route: Route
  /** Console session that let the visitor in; null on a public record. */
  readonly session: string | null
  /** Cutting it ends the flow: the carrying side notices. */
  readonly stream: Duplex
}

/** The flows that are open, so that they can be ended when what allowed them is gone. */
export interface Flows {
  /** Keeps a flow until its stream closes. */
  add(flow: Flow): void
  /** Ends the flows of a key whose way is not this one any more; null: the key leads nowhere now. */
  keepOnly(key: string, route: Route | null): void
  /** Ends what console sessions let in that ended since. */
  endSessions(isEnded: (session: string) => boolean): void
  /** Is there any flow of this key? */
  has(key: string): boolean
  /** Keys with an open flow. */
  keys(): string[]
}

/** Does a changed record still allow what a flow does? Another name or a wider access disturbs nobody. */
export function isSameWay(old: Route, now: Route): boolean {
  return (
    old.record === now.record &&
    old.device === now.device &&
    old.kind === now.kind &&
    old.target === now.target &&
    JSON.stringify(old.options) === JSON.stringify(now.options) &&
    old.access.every(way => now.access.includes(way))
  )
}

/** Makes an empty register of flows. */
export function createFlows(): Flows {
  const byKey = new Map<string, Set<Flow>>()

  function remove(flow: Flow): void {
    const flows = byKey.get(flow.key)
    if (flows?.delete(flow) === true && flows.size === 0) byKey.delete(flow.key)
  }

  return {
    add(flow) {
      if (flow.stream.destroyed) return
      const flows = byKey.get(flow.key) ?? new Set()
      byKey.set(flow.key, flows.add(flow))
      flow.stream.once('close', () => remove(flow))
    },
    keepOnly(key, route) {
      for (const flow of byKey.get(key) ?? []) {
        if (route === null || !isSameWay(flow.route, route)) flow.stream.destroy()
      }
    },
    endSessions(isEnded) {
      for (const flow of [...byKey.values()].flatMap(flows => [...flows])) {
        if (flow.session !== null && isEnded(flow.session)) flow.stream.destroy()
      }
    },
    has: key => byKey.has(key),
    keys: () => [...byKey.keys()],
  }
}
