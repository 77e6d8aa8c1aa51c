import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'
import type { Logger } from '../config.ts'
import type { UsageMeter } from '../control/usage.ts'

/** One visitor's stream to a record, while it is open. */
export interface Flow {
  readonly id: string
  /** `keyText` of where the visitor knocked. */
  readonly key: string
  readonly route: Route
  /** Console session that let the visitor in; null on a public record. */
  readonly session: string | null
  /** Bytes from the visitor, and to the visitor, so far. */
  bytesIn: number
  bytesOut: number
}

/** The flows that are open, so that they can be counted and ended. */
export interface Flows {
  /** Counts a stream until it closes; `end` is called to end it before. */
  add(flow: Flow, stream: Duplex, end: () => void): void
  /** Ends the flows of a key whose way is not this one any more; null: the key leads nowhere now. */
  keepOnly(key: string, route: Route | null): void
  /** Ends what a console session let in. */
  endSession(session: string): void
  /** Is there any flow of this key? */
  has(key: string): boolean
  /** Adds what open flows used since the last time to the meter. */
  report(): void
}

interface OpenFlow extends Flow {
  readonly end: () => void
  readonly startedAt: number
  reportedIn: number
  reportedOut: number
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
export function createFlows(parts: { meter: UsageMeter; logger: Logger; now(): number }): Flows {
  const byKey = new Map<string, Set<OpenFlow>>()

  function measure(flow: OpenFlow): void {
    const bytesIn = flow.bytesIn - flow.reportedIn
    const bytesOut = flow.bytesOut - flow.reportedOut
    if (bytesIn === 0 && bytesOut === 0) return
    flow.reportedIn = flow.bytesIn
    flow.reportedOut = flow.bytesOut
    const { record } = flow.route
    parts.meter.add({ record, requests: 0, bytes_in: bytesIn, bytes_out: bytesOut })
  }

  function remove(flow: OpenFlow): void {
    const flows = byKey.get(flow.key)
    if (flows?.delete(flow) !== true) return
    if (flows.size === 0) byKey.delete(flow.key)
    measure(flow)
    const { id, route, bytesIn, bytesOut } = flow
    const ms = Math.round(parts.now() - flow.startedAt)
    parts.logger.debug(
      { flow: id, record: route.record, device: route.device, bytesIn, bytesOut, ms },
      'flow ended',
    )
  }

  return {
    add(flow, stream, end) {
      const open = Object.assign(flow, {
        end,
        startedAt: parts.now(),
        reportedIn: 0,
        reportedOut: 0,
      })
      const flows = byKey.get(flow.key) ?? new Set()
      byKey.set(flow.key, flows)
      flows.add(open)
      if (stream.destroyed) remove(open)
      else stream.once('close', () => remove(open))
    },
    keepOnly(key, route) {
      for (const flow of byKey.get(key) ?? []) {
        if (route === null || !isSameWay(flow.route, route)) flow.end()
      }
    },
    endSession(session) {
      for (const flows of byKey.values()) {
        for (const flow of flows) if (flow.session === session) flow.end()
      }
    },
    has: key => byKey.has(key),
    report() {
      for (const flows of byKey.values()) for (const flow of flows) measure(flow)
    },
  }
}
