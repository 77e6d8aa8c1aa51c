import { getDefaultHighWaterMark } from 'node:stream'
import { FRAME_LIMIT_BYTES, LINK_LIMIT } from '@homeport/tunnel'
import { unreadLimitBytes } from './link/stay-linked.ts'

const KIB = 1024
const MIB = 1024 * KIB

// Measured: resident memory of an agent after its start, and after it carried some GiB.
const startBytes = 110 * MIB
const programBytes = 190 * MIB
// As at the relay: a TLS connection, a stream with a connection to its target.
const linkBytes = 120 * KIB
const flowBytes = 16 * KIB
const readBytes = 64 * KIB

/**
 * How much memory an agent uses with so many flows at a time, which its relay counts: so many things, what each costs while nothing
 * happens, and at its worst.
 */
export function agentMemory(flowCount: number) {
  const mark = getDefaultHighWaterMark(false)
  const towardsTarget = 2 * (mark + FRAME_LIMIT_BYTES)
  const towardsRelay = mark + readBytes
  return [
    {
      what: 'the program with its heap',
      count: 1,
      idleBytes: startBytes,
      worstBytes: programBytes,
    },
    {
      what: 'links',
      count: LINK_LIMIT,
      idleBytes: linkBytes,
      worstBytes: linkBytes + 2 * 160 * KIB,
    },
    {
      what: 'bytes unread by targets, with slack',
      count: unreadLimitBytes,
      idleBytes: 0,
      worstBytes: 2,
    },
    {
      what: 'flows',
      count: flowCount,
      idleBytes: 0,
      worstBytes: flowBytes + towardsTarget + towardsRelay + 2 * FRAME_LIMIT_BYTES,
    },
  ]
}
