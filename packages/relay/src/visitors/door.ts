import type { Socket } from 'node:net'
import { type Clock, systemClock } from '@homeport/tunnel'
import { createFlowIds } from '../carry/flow-ids.ts'
import type { HeldBudget } from '../carry/held-budget.ts'
import { groupAddress } from '../routing/address-group.ts'
import { serveConnection } from './connection.ts'
import type { Connection, DoorContext, DoorLog } from './context.ts'
import { type DoorLimits, doorLimits } from './limits.ts'
import { pickForNewcomer } from './make-room.ts'
import type { Resolve } from './passage.ts'
import { createProxyTrust, type Source, sourceOf } from './proxy-trust.ts'

/** What a door is made of. */
export interface DoorOptions {
  readonly resolve: Resolve
  readonly log: DoorLog
  /** What all visitors hold together. */
  readonly held: HeldBudget
  /** Changes to {@link doorLimits}. */
  readonly limits?: Partial<DoorLimits>
  /** Addresses and CIDR blocks whose `X-Forwarded-For` and `-Proto` are believed. */
  readonly trustedProxies?: readonly string[]
  readonly clock?: Clock
}

/** Counts of a door: gauges `connections` and `waiting`, the others since the start. */
export interface DoorStats {
  readonly connections: number
  readonly waiting: number
  readonly requests: number
  readonly refused: number
  /** Connections closed on arrival because a limit was reached. */
  readonly turnedAway: number
}

/** The HTTP/1.1 door: takes visitors' sockets and serves every request on them. */
export interface Door {
  /**
   * Takes a connected socket (plain, or TLS after its handshake), made with `allowHalfOpen`. Unread bytes may be unshifted. Without
   * `source` it comes from where the socket says.
   */
  accept(socket: Socket, source?: Source): void
  stats(): DoorStats
  /** Closes connections between requests now, others after their response, and cuts what is left after `graceMs`. */
  drain(graceMs: number): Promise<void>
}

/** How often deadlines are compared: the error of every time-out, for one timer in all. */
const sweepMs = 250

/** Makes a door. It owns no listener: whoever listens hands it sockets. */
export function createDoor(options: DoorOptions): Door {
  const limits = { ...doorLimits, ...options.limits }
  const clock = options.clock ?? systemClock
  const isTrusted = createProxyTrust(options.trustedProxies ?? [])
  const addresses = new Map<string, number>()
  const connections = new Map<Connection, string>()
  const counters = { requests: 0, refused: 0, waiting: 0, turnedAway: 0 }
  let isDraining = false
  let whenEmpty: (() => void) | null = null
  let sweeping: unknown = null

  const context: DoorContext = {
    limits,
    resolve: options.resolve,
    isTrusted,
    log: options.log,
    clock,
    held: options.held,
    counters,
    now: () => clock.now(),
    nextFlow: createFlowIds(),
    release(connection) {
      const key = connections.get(connection)
      if (key === undefined) return
      connections.delete(connection)
      const left = (addresses.get(key) ?? 1) - 1
      if (left === 0) addresses.delete(key)
      else addresses.set(key, left)
      if (connections.size === 0) whenEmpty?.()
    },
  }

  const sweep = () => {
    sweeping = null
    const now = clock.now()
    for (const connection of connections.keys()) {
      if (connection.deadline() <= now) connection.timedOut()
    }
    watch()
  }

  const watch = () => {
    if (sweeping === null && connections.size > 0) sweeping = clock.setTimeout(sweep, sweepMs)
  }

  let fruitlessUntil = Number.NEGATIVE_INFINITY

  /** A look at all connections that found none to close is not repeated for every newcomer of a flood. */
  const makeRoom = () => {
    if (clock.now() < fruitlessUntil) return false
    const picked = pickForNewcomer(connections)
    if (picked.length === 0) fruitlessUntil = clock.now() + sweepMs
    for (const connection of picked) connection.destroy()
    return picked.length > 0
  }

  const isFull = (key: string, source: Source) =>
    ((addresses.get(key) ?? 0) >= limits.connectionsPerAddress && !source.isTrusted) ||
    (connections.size >= limits.connections && !makeRoom())

  return {
    accept(socket, source = sourceOf(socket, isTrusted)) {
      const key = groupAddress(source.address)
      if (isDraining || isFull(key, source)) {
        counters.turnedAway += 1
        socket.on('error', () => undefined)
        socket.destroy()
        return
      }
      socket.setNoDelay(true)
      socket.setKeepAlive(true, 60_000)
      addresses.set(key, (addresses.get(key) ?? 0) + 1)
      const connection = serveConnection(context, socket, source)
      connections.set(connection, key)
      watch()
    },
    stats: () => ({ ...counters, connections: connections.size }),
    async drain(graceMs) {
      isDraining = true
      for (const connection of [...connections.keys()]) connection.retire()
      if (connections.size > 0) {
        const empty = Promise.withResolvers<void>()
        whenEmpty = empty.resolve
        const timer = clock.setTimeout(empty.resolve, graceMs)
        await empty.promise
        clock.clearTimeout(timer)
      }
      for (const connection of [...connections.keys()]) connection.destroy()
      clock.clearTimeout(sweeping)
    },
  }
}
