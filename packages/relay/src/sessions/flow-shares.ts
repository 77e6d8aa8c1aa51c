import { type Clock, createRareLine, createRateLimiter, type Logger } from '@homeport/runtime'
import { TunnelError } from '@homeport/tunnel'
import { groupAddress } from '../routing/address-group.ts'
import type { LinkLimits } from './limits.ts'

/** Counts flows by record, and by record and visitor. */
export interface FlowShares {
  /**
   * Counts one more flow to a record until the answer is called. Throws `stream_limit` where the record has too many, this visitor
   * has too many of them, or too many to the record or to its device began in the last seconds.
   */
  enter(to: { readonly record: number; readonly device: string }, address: string): () => void
}

type ShareLimits = Pick<
  LinkLimits,
  | 'flowsPerRecord'
  | 'flowsPerVisitor'
  | 'newFlowsPerRecordBurst'
  | 'newFlowsPerRecordPerSecond'
  | 'newFlowsPerDeviceBurst'
  | 'newFlowsPerDevicePerSecond'
  | 'recordLimit'
>

/** A flood writes one line in so many ms. */
const linePeriodMs = 10_000

/** Makes an empty count. Behind a trusted proxy that names nobody stand many visitors: it has no share of its own. */
export function createFlowShares(parts: {
  readonly limits: ShareLimits
  readonly clock: Pick<Clock, 'monotonicMs'>
  readonly logger: Pick<Logger, 'warn'>
  isTrusted(address: string): boolean
}): FlowShares {
  const { limits, clock, logger } = parts
  const byRecord = new Map<number, Map<string, number>>()
  const totals = new Map<number, number>()
  const rate = createRateLimiter({
    burst: limits.newFlowsPerRecordBurst,
    perSecond: limits.newFlowsPerRecordPerSecond,
    keyLimit: limits.recordLimit,
    clock,
  })
  const deviceRate = createRateLimiter({
    burst: limits.newFlowsPerDeviceBurst,
    perSecond: limits.newFlowsPerDevicePerSecond,
    keyLimit: limits.recordLimit,
    clock,
  })
  const tellDevice = createRareLine<string>({ periodMs: linePeriodMs, clock }, (count, device) =>
    logger.warn({ count, device }, 'too many new flows to one device were refused'),
  )

  function leave(record: number, visitor: string): void {
    const total = (totals.get(record) ?? 1) - 1
    if (total === 0) {
      totals.delete(record)
      byRecord.delete(record)
      return
    }
    totals.set(record, total)
    const visitors = byRecord.get(record)
    const left = (visitors?.get(visitor) ?? 1) - 1
    if (left === 0) visitors?.delete(visitor)
    else visitors?.set(visitor, left)
  }

  return {
    enter({ record, device }, address) {
      const visitor = groupAddress(address)
      const total = totals.get(record) ?? 0
      const visitors = byRecord.get(record) ?? new Map<string, number>()
      const own = visitors.get(visitor) ?? 0
      if (total >= limits.flowsPerRecord) {
        throw new TunnelError('stream_limit', { detail: 'too many flows to this record' })
      }
      if (own >= limits.flowsPerVisitor && !parts.isTrusted(address)) {
        throw new TunnelError('stream_limit', { detail: 'too many flows of this visitor' })
      }
      if (!rate.take(String(record)).isAllowed) {
        throw new TunnelError('stream_limit', { detail: 'too many new flows to this record' })
      }
      if (!deviceRate.take(device).isAllowed) {
        tellDevice(device)
        throw new TunnelError('stream_limit', { detail: 'too many new flows to this device' })
      }
      totals.set(record, total + 1)
      byRecord.set(record, visitors.set(visitor, own + 1))
      let isOver = false
      return () => {
        if (!isOver) leave(record, visitor)
        isOver = true
      }
    },
  }
}
