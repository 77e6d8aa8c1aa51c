import type { Duplex } from 'node:stream'
import { type Clock, systemClock, writePacked } from '@homeport/tunnel'
import { cutStream } from './cut.ts'
import type { FlowEnd, FlowRecord } from './flow-record.ts'
import { type HeldBudget, weightOf } from './held-budget.ts'
import { holdStream } from './held-bytes.ts'

/** What joins two streams. */
export interface JoinOptions {
  readonly flow: string
  readonly visitor: Duplex
  readonly target: Duplex
  /** Bytes that were read before the join and lead to the other side first. */
  readonly fromVisitor?: Buffer | null
  readonly fromTarget?: Buffer | null
  /** Without a byte either way for this long, both are destroyed. */
  readonly idleMs: number
  readonly clock?: Clock
  /** Counts what waits in both until both are closed. */
  readonly held: HeldBudget
  /** Called once, when both sides are closed. */
  readonly onEnd?: (record: FlowRecord) => void
}

/**
 * Carries bytes between a visitor and a target until both directions ended. The directions are independent: the end of one is passed
 * on as a half-close and the other goes on (an FTP or SSH client that has said its last word still waits for answers). Nothing is
 * queued beyond the streams' own marks: a side that does not take bytes stops the reading of the other. An error of one side
 * destroys both, so that a truncated transfer never looks like a complete one.
 */
export function joinStreams(options: JoinOptions): void {
  const { visitor, target, idleMs } = options
  const clock = options.clock ?? systemClock
  const startedAt = clock.now()
  let activeAt = startedAt
  let bytesUp = options.fromVisitor?.length ?? 0
  let bytesDown = options.fromTarget?.length ?? 0
  let end: FlowEnd = 'done'
  let open = 2
  const visitorSide = { ...holdStream(visitor), emptyAt: startedAt }
  const targetSide = { ...holdStream(target), emptyAt: startedAt }
  const heldDown = () => visitorSide.queuedBytes() + targetSide.pausedBytes()
  const heldUp = () => targetSide.queuedBytes() + visitorSide.pausedBytes()
  const holding = options.held.join({
    heldBytes: () => heldDown() + heldUp(),
    weight: now =>
      weightOf(heldDown(), visitorSide.emptyAt, now) + weightOf(heldUp(), targetSide.emptyAt, now),
    cut: () => breakOff('visitor_gone'),
  })

  const breakOff = (why: FlowEnd) => {
    if (end === 'done') end = why
    cutStream(visitor)
    cutStream(target)
  }

  // One timer that re-arms itself with what is left: no timer work for each chunk.
  const watchIdle = (): unknown =>
    clock.setTimeout(
      () => {
        if (clock.now() - activeAt >= idleMs) breakOff('timed_out')
        else timer = watchIdle()
      },
      Math.max(1, activeAt + idleMs - clock.now()),
    )
  let timer = watchIdle()

  const closed = (side: Duplex, why: FlowEnd) => {
    // Closed without having ended both ways: cut off, not finished.
    if (!side.readableEnded || !side.writableFinished) breakOff(why)
    open -= 1
    if (open > 0) return
    holding.leave()
    clock.clearTimeout(timer)
    const durationMs = Math.round(clock.now() - startedAt)
    options.onEnd?.({ flow: options.flow, bytesUp, bytesDown, durationMs, end })
  }

  const lead = (
    from: Duplex,
    to: Duplex,
    side: { emptyAt: number },
    count: (bytes: number) => void,
    why: FlowEnd,
  ) => {
    const goOn = () => {
      activeAt = clock.now()
      from.resume()
    }
    from.on('data', (chunk: Buffer) => {
      activeAt = clock.now()
      if (to.writableLength === 0) side.emptyAt = activeAt
      count(chunk.length)
      if (!writePacked(to, chunk, goOn)) from.pause()
      holding.count()
    })
    to.on('drain', goOn)
    from.on('end', () => to.end())
    if (from.readableEnded) to.end()
    from.on('error', () => breakOff(why))
    from.on('close', () => closed(from, why))
  }

  if (options.fromVisitor?.length) target.write(options.fromVisitor)
  if (options.fromTarget?.length) visitor.write(options.fromTarget)
  const countUp = (bytes: number) => {
    bytesUp += bytes
  }
  const countDown = (bytes: number) => {
    bytesDown += bytes
  }
  lead(visitor, target, targetSide, countUp, 'visitor_gone')
  lead(target, visitor, visitorSide, countDown, 'target_gone')
  if (visitor.destroyed || target.destroyed) breakOff('target_gone')
  visitor.resume()
  target.resume()
  holding.count()
}
