import { DEFAULT_YAMUX_CONFIG, FRAME_LIMIT_BYTES } from '@homeport/tunnel'
import { readBytes } from './carry/held-bytes.ts'
import type { RelayLimits } from './config.ts'

/** One part of a relay's memory: so many things, and what each costs while nothing happens and at its worst. */
export interface MemoryTerm {
  readonly what: string
  readonly count: number
  readonly idleBytes: number
  readonly worstBytes: number
}

const KIB = 1024
const MIB = 1024 * KIB

// Measured: resident memory of a relay after its start (115 MiB), and after it carried some GiB and its garbage was collected as
// Node does on its own (195 MiB).
const programBytes = 200 * MIB
const startBytes = 120 * MIB
// Measured on 600 and 2,000 idle links and 1,500 connections that had been answered once: 48 and 14 KiB, with TLS 113 and 52 KiB.
const linkBytes = { plain: 56 * KIB, tls: 120 * KIB }
const connectionBytes = { plain: 16 * KIB, tls: 56 * KIB }
/** Objects of a request under way, or of a tcp flow; its bytes have a budget of their own. */
const requestBytes = 8 * KIB
// A short key and a number in a Map.
const rememberedBytes = 200
const decisionBytes = KIB

// A view of a chunk is kept while it is at least half of the chunk; shorter ones are copied.
const slack = 2

/**
 * How much memory a relay with these limits uses, term by term; the sum of `count * worstBytes` is what strangers can make of it.
 * Sockets' buffers in the kernel are not in it.
 */
export function relayMemory(limits: RelayLimits, isTls: boolean): MemoryTerm[] {
  const { carry, door, links, ports, resolver, arrival } = limits
  const kind = isTls ? 'tls' : 'plain'
  const kept = (what: string, count: number, bytes: number, idle = 0): MemoryTerm => ({
    what,
    count,
    idleBytes: idle,
    worstBytes: bytes,
  })
  return [
    kept('the program with its heap', 1, programBytes, startBytes),
    kept('links of agents', links.links, linkBytes[kind], linkBytes[kind]),
    kept('links that prove their key', links.handshakes, readBytes + 2 * 16 * KIB),
    ...(isTls ? [kept('TLS handshakes', arrival.handshakes, connectionBytes.tls)] : []),
    kept('bytes unread by visitors, with slack', links.unreadBytes, slack),
    kept('bytes held for visitors', carry.heldBytes, 1),
    kept(
      'visitors at the door',
      door.connections,
      connectionBytes[kind] + requestBytes,
      connectionBytes[kind],
    ),
    kept(
      'visitors at tcp ports',
      ports.connections,
      connectionBytes.plain + requestBytes,
      connectionBytes.plain,
    ),
    kept('decisions', resolver.allowedLimit + resolver.deniedLimit, decisionBytes),
    // Ended sessions, usage and device keys have limits of their own: 100,000, 50,000 and twice 20,000.
    kept(
      'addresses, records, devices and sessions remembered',
      2 * arrival.addressLimit + 2 * links.recordLimit + 190_000,
      rememberedBytes,
    ),
  ]
}

const link = DEFAULT_YAMUX_CONFIG

/**
 * What one link of an agent may hold beyond that while its agent does not read: frames without payload that wait (four numbers
 * each), as bytes too, and one batch. Agents are paired devices, no strangers.
 */
export const deafLinkBytes =
  link.controlQueueLimit * (4 * 8 + 12) + link.batchLimitBytes + FRAME_LIMIT_BYTES

/** The sum over terms, in bytes. */
export const sumMemory = (terms: readonly MemoryTerm[], of: 'idleBytes' | 'worstBytes'): number =>
  terms.reduce((sum, term) => sum + term.count * term[of], 0)
