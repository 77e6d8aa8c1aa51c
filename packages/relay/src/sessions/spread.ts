import type { YamuxStream } from '@homeport/tunnel'
import { type DeviceFlow, isLinkLoaded, type Link, type Session } from './device.ts'

/** A bulk transfer and the link that it should go over. */
export interface Move {
  readonly stream: YamuxStream
  readonly flow: DeviceFlow
  readonly from: Link
  readonly to: Link
}

/** Moves of one flow; each leaves a stage through which all of its bytes pass from then on. */
export const moveLimit = 3

/** Bulk transfers on a link that are not about to leave it. */
export function countBulk(link: Link): number {
  let bulk = 0
  for (const stream of link.flows.keys()) if (stream.isBulk && !stream.isMoved) bulk += 1
  return bulk
}

/**
 * The next bulk transfer to give a link of its own; null where they are as far apart as the links allow. Links that carry nothing else
 * than one transfer are left alone, and one link at least stays without any, for what is in a hurry.
 */
export function pickMove({ links }: Session): Move | null {
  const open = [...links].filter(link => link.muxer.isOpen)
  const to = open.find(link => !isLinkLoaded(link) && link.arriving === 0)
  if (to === undefined) return null
  let free = 0
  let from: Link | null = null
  let most = 0
  for (const link of open) {
    const bulk = countBulk(link) + link.arriving
    if (bulk === 0) free += 1
    if (link === to || countStaying(link) < 2 || bulk <= most || findMovable(link) === null)
      continue
    from = link
    most = bulk
  }
  if (from === null || (free < 2 && most > 1)) return null
  const found = findMovable(from)
  return found === null ? null : { ...found, from, to }
}

function countStaying(link: Link): number {
  let flows = 0
  for (const stream of link.flows.keys()) if (!stream.isMoved) flows += 1
  return flows
}

function findMovable(link: Link): { stream: YamuxStream; flow: DeviceFlow } | null {
  for (const [stream, flow] of link.flows) {
    if (stream.isBulk && !stream.isMoved && !stream.destroyed && flow.movesLeft > 0) {
      return { stream, flow }
    }
  }
  return null
}
