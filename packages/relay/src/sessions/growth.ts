import { LINK_LIMIT } from '@homeport/tunnel'
import { isLinkLoaded, type Link, type Session } from './device.ts'
import type { LinkLimits } from './limits.ts'
import { countBulk } from './spread.ts'

/** Flows on one link before another is worth its 60 KiB: what a browser opens to one page fits. */
const flowsPerLink = 32

/** An agent that was asked needs a few round trips to dial. */
const askPauseMs = 1_000

/** Is the device so near that links of their own would gain bulk transfers nothing? */
export function isNear(session: Session, nearRoundTripMs: number): boolean {
  for (const { muxer } of session.links) {
    if (muxer.minRoundTripMs > 0 && muxer.minRoundTripMs < nearRoundTripMs) return true
  }
  return false
}

/**
 * How many links a session should have: one for each bulk transfer, one that nothing is in the way on, and one for each 32 flows. One
 * lost packet holds up every stream of its connection, so what is in a hurry must not share one with a bulk transfer; near by that lasts
 * too short to matter.
 */
export function wantedLinks(session: Session, isNearby: boolean): number {
  let loaded = 0
  let bulk = 0
  let flows = 0
  for (const link of session.links) {
    if (!link.muxer.isOpen) continue
    flows += link.muxer.streamCount - 1
    if (!isNearby) bulk += countBulk(link)
    if (isNearby ? link.muxer.isCongested : isLinkLoaded(link)) loaded += 1
  }
  return Math.min(LINK_LIMIT, Math.max(loaded + 1, bulk + 1, Math.ceil(flows / flowsPerLink)))
}

/** Asks the agent for more links where they are needed, at most once a second; never for more than the limit. */
export function askForLinks(
  session: Session,
  limits: Pick<LinkLimits, 'linksPerDevice' | 'nearRoundTripMs'>,
  nowMs: number,
): void {
  const isNearby = isNear(session, limits.nearRoundTripMs)
  const links = Math.min(wantedLinks(session, isNearby), limits.linksPerDevice)
  if (links <= session.links.size || nowMs - session.askedAt < askPauseMs) return
  for (const link of session.links) {
    if (!link.muxer.isOpen) continue
    session.askedAt = nowMs
    link.send({ type: 'grow', links })
    return
  }
}

/**
 * Closes links that carried no flow since the last look but one; one always stays. Only the relay does this: it alone
 * opens flows, so none can be on its way to a link that it closes.
 */
export function closeIdleLinks(session: Session): void {
  let open = 0
  const idle: Link[] = []
  for (const link of session.links) {
    if (!link.muxer.isOpen) continue
    open += 1
    // The control stream counts as one; before it came there is nothing to close yet.
    if (link.muxer.streamCount === 1 && link.flowsOpened === link.flowsSeen) idle.push(link)
    link.flowsSeen = link.flowsOpened
  }
  for (const link of idle.slice(0, open - 1)) link.muxer.close()
}
