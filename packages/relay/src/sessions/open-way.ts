import type { Duplex } from 'node:stream'
import type { EndedSessions } from '../gate/ended-sessions.ts'
import type { Way } from '../routing/passages.ts'
import type { Resolver } from '../routing/resolver.ts'
import { keyOfText } from '../routing/route-changes.ts'
import { flowHeadOf } from './flow-head.ts'
import type { FlowShares } from './flow-shares.ts'
import { type Flows, isSameWay } from './flows.ts'
import type { Openings } from './openings.ts'
import type { Sessions } from './sessions.ts'

/** What ways are opened with. */
export interface WayParts {
  readonly sessions: Sessions
  readonly shares: FlowShares
  readonly openings: Openings
  readonly flows: Flows
  readonly resolver: Resolver
  readonly endedSessions: EndedSessions
}

/**
 * Opens a stream to a record's target and keeps it where changes find it. Rejects as `Sessions.open`, with `stream_limit` also where
 * record, visitor or owner have their share.
 */
export async function openWay(
  parts: WayParts,
  way: Way,
  flow: string,
  signal: AbortSignal,
): Promise<Duplex> {
  const { route } = way
  const leave = parts.shares.enter(route, way.address)
  const stream = await parts.openings
    .count(route, signal, opening =>
      parts.sessions.open(route.device, flowHeadOf(route, flow), { signal: opening }),
    )
    .catch((cause: unknown) => {
      leave()
      throw cause
    })
  if (stream.closed) leave()
  else stream.once('close', leave)
  parts.flows.add({ ...way, stream })
  // While the agent dialled, the way may have been closed; whoever closed it saw only the flows that were there.
  if (!(await isStillOpen(parts, way))) stream.destroy()
  return stream
}

async function isStillOpen({ resolver, endedSessions }: WayParts, way: Way): Promise<boolean> {
  if (way.session !== null && endedSessions.has(way.session)) return false
  const now = await resolver.recheck(keyOfText(way.key))
  if (!now.allow) return now.code === 'unavailable' || now.code === 'busy'
  return now.route === way.route || isSameWay(way.route, now.route)
}
