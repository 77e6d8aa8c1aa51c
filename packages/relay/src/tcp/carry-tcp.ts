import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Route } from '@homeport/contract/control'
import type { Logger } from '@homeport/runtime'
import { toTunnelError } from '@homeport/tunnel'
import type { FlowRecord } from '../carry/flow-record.ts'
import type { HeldBudget } from '../carry/held-budget.ts'
import { joinStreams } from '../carry/join.ts'
import type { Way } from '../routing/passages.ts'
import { keyText, type Resolver } from '../routing/resolver.ts'
import type { Source } from '../visitors/proxy-trust.ts'

/** What visitors of tcp records are carried with. */
export interface CarryTcpParts {
  readonly resolver: Resolver
  readonly logger: Logger
  readonly idleMs: number
  readonly held: HeldBudget
  nextFlow(): string
  openFlow(way: Way, flow: string, signal: AbortSignal): Promise<Duplex>
  onFlowEnd(route: Route, record: FlowRecord): void
}

/** Makes the carrier: a visitor who leads nowhere is reset, because nothing can be said on raw TCP. */
export function createTcpCarrier(parts: CarryTcpParts) {
  return async (port: number, socket: Socket, { address }: Source): Promise<void> => {
    const key = { kind: 'port', port } as const
    const resolution = await parts.resolver.resolve(key)
    // Raw TCP has no gate, so nothing but `public` opens it, whatever the server allowed.
    if (
      !resolution.allow ||
      resolution.route.kind !== 'tcp' ||
      !resolution.route.access.includes('public')
    ) {
      socket.resetAndDestroy()
      return
    }
    const { route } = resolution
    const flow = parts.nextFlow()
    const gone = new AbortController()
    const onGone = () => gone.abort()
    socket.once('close', onGone)
    try {
      const target = await parts.openFlow(
        { key: keyText(key), route, session: null, address },
        flow,
        gone.signal,
      )
      joinStreams({
        flow,
        visitor: socket,
        target,
        idleMs: parts.idleMs,
        held: parts.held,
        onEnd: record => parts.onFlowEnd(route, record),
      })
    } catch (cause) {
      const { code } = toTunnelError(cause)
      parts.logger.debug({ flow, record: route.record, code }, 'no stream for a tcp visitor')
      socket.resetAndDestroy()
    } finally {
      socket.off('close', onGone)
    }
  }
}
