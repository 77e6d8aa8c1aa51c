import { createServer, type Server, type Socket } from 'node:net'
import type { Logger } from '@homeport/runtime'
import type { Arrivals } from '../arrival/arrivals.ts'
import { groupAddress } from '../routing/address-group.ts'
import type { Source } from '../visitors/proxy-trust.ts'
import type { PortLimits } from './limits.ts'

/** What listeners of tcp records work with. */
export interface TcpPortsParts {
  readonly host: string
  readonly limits: PortLimits
  readonly arrivals: Arrivals
  readonly logger: Logger
  /** Carries a visitor who came to a port; the socket is paused and has its error handler. */
  carry(port: number, socket: Socket, source: Source): Promise<void>
}

/** The ports of the pool that lead somewhere. */
export interface TcpPorts {
  /** Opens what is missing and closes what is not listed. */
  set(ports: readonly number[]): void
  open(port: number): void
  /** Takes no more visitors; flows that go on are ended by whoever carries them. */
  close(port: number): void
  /** Is the port wanted (it may wait for another program to let it go)? */
  has(port: number): boolean
  /** Resolves when this port is listening. Rejects when it is closed before. */
  listening(port: number): Promise<void>
  stop(): void
}

interface OpenPort {
  server: Server | null
  retry: NodeJS.Timeout | undefined
  readonly listening: PromiseWithResolvers<void>
}

function step<Key>(counts: Map<Key, number>, key: Key, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by
  if (next === 0) counts.delete(key)
  else counts.set(key, next)
}

/** Makes listeners; none is open yet. */
export function createTcpPorts(parts: TcpPortsParts): TcpPorts {
  const { limits, logger } = parts
  const ports = new Map<number, OpenPort>()
  const byAddress = new Map<string, number>()
  const byPort = new Map<number, number>()
  let connections = 0

  const isFull = (port: number, group: string, source: Source) =>
    connections >= limits.connections ||
    (byPort.get(port) ?? 0) >= limits.connectionsPerRecord ||
    ((byAddress.get(group) ?? 0) >= limits.connectionsPerAddress && !source.isTrusted)

  function enter(port: number, socket: Socket, source: Source): void {
    socket.on('error', () => socket.resetAndDestroy())
    const group = groupAddress(source.address)
    if (isFull(port, group, source)) {
      socket.resetAndDestroy()
      return
    }
    connections += 1
    step(byAddress, group, 1)
    step(byPort, port, 1)
    socket.once('close', () => {
      connections -= 1
      step(byAddress, group, -1)
      step(byPort, port, -1)
    })
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    parts.carry(port, socket, source).catch((cause: unknown) => {
      logger.error({ port, err: cause }, 'tcp visitor failed')
      socket.resetAndDestroy()
    })
  }

  function listen(port: number, open: OpenPort): void {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, socket =>
      parts.arrivals.admit('port', socket, source => enter(port, socket, source)),
    )
    // Above what `enter` resets: those who still owe a PROXY header are counted by nobody else.
    server.maxConnections = limits.connections + limits.connectionsPerRecord
    server.once('listening', open.listening.resolve)
    server.on('error', cause => {
      if (ports.get(port) !== open) return
      logger.warn({ port, err: cause }, 'tcp port cannot be opened; tried again later')
      open.retry = setTimeout(() => listen(port, open), limits.retryMs)
    })
    open.server = server
    server.listen({ port, host: parts.host })
  }

  function open(port: number): void {
    if (ports.has(port)) return
    const entry: OpenPort = {
      server: null,
      retry: undefined,
      listening: Promise.withResolvers<void>(),
    }
    entry.listening.promise.catch(() => {}) // only those who asked for it want to know
    ports.set(port, entry)
    listen(port, entry)
  }

  function close(port: number): void {
    const entry = ports.get(port)
    if (entry === undefined) return
    ports.delete(port)
    clearTimeout(entry.retry)
    entry.listening.reject(new Error(`port ${port} was closed`))
    entry.server?.close()
  }

  return {
    set(wanted) {
      const keep = new Set(wanted)
      for (const port of [...ports.keys()]) if (!keep.has(port)) close(port)
      for (const port of keep) open(port)
    },
    open,
    close,
    has: port => ports.has(port),
    async listening(port) {
      await ports.get(port)?.listening.promise
    },
    stop() {
      for (const port of [...ports.keys()]) close(port)
    },
  }
}
