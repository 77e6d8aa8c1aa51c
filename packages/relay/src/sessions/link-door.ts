import type { Duplex } from 'node:stream'
import { type Clock, createRareLine, type Logger } from '@homeport/runtime'
import { acceptLink, createUnreadBudget, toTunnelError } from '@homeport/tunnel'
import { createWaitingPlaces } from '../arrival/waiting-places.ts'
import type { DeviceKeys } from './device-keys.ts'
import type { LinkLimits } from './limits.ts'
import type { Sessions } from './sessions.ts'

/** An agent's request that the visitors' door handed over. */
export interface LinkRequest {
  /** The raw connection. */
  readonly socket: Duplex
  /** What was read past the request's head. */
  readonly head: Buffer
  /** The `Host` as sent: the agent's proof covers it, so that no relay in the middle can pass the proof on. */
  readonly authority: string
  /** The `Sec-WebSocket-Key` of an agent behind a balancer that passes nothing else; null on a plain link. */
  readonly websocketKey: string | null
  /** The agent's public address. */
  readonly address: string
}

/** Takes agents' links out of the visitors' door. */
export interface LinkDoor {
  /** Never rejects; refuses by closing the connection after saying why. */
  accept(request: LinkRequest): Promise<void>
  /** Ends the handshakes under way. */
  stop(): void
}

const busyAnswer =
  'HTTP/1.1 503 Service Unavailable\r\nRetry-After: 5\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'

/** A crowd writes one line in so many ms. */
const linePeriodMs = 10_000

/** Makes the door for agents. */
export function createLinkDoor(parts: {
  readonly relayId: string
  readonly keys: DeviceKeys
  readonly sessions: Sessions
  readonly limits: LinkLimits
  readonly clock: Clock
  readonly logger: Logger
}): LinkDoor {
  const { limits, sessions, keys, clock, logger } = parts
  const unreadBudget = createUnreadBudget(limits.unreadBytes)
  const pending = new Set<Duplex>()
  const places = createWaitingPlaces(
    {
      places: limits.handshakes,
      perAddress: limits.handshakesPerAddress,
      perNetwork: limits.handshakesPerNetwork,
    },
    clock,
  )
  const tellTurnedAway = createRareLine<string>(
    { periodMs: linePeriodMs, clock },
    (count, address) =>
      logger.warn(
        { count, address },
        'links were turned away: too many handshakes of one address or network',
      ),
  )

  return {
    async accept({ socket, head, authority, websocketKey, address }) {
      const leave = places.enter(address, () => socket.destroy())
      if (leave === null) {
        tellTurnedAway(address)
        socket.on('error', () => socket.destroy())
        socket.end(busyAnswer, () => socket.destroy())
        return
      }
      pending.add(socket)
      try {
        const link = await acceptLink(socket, {
          relayId: parts.relayId,
          host: authority,
          head,
          websocketKey: websocketKey ?? undefined,
          timeoutMs: limits.handshakeMs,
          unreadBudget,
          findDeviceKey: keys.find,
          admit: sessions.admit,
        })
        sessions.add(link, address)
      } catch (cause) {
        const { code, detail } = toTunnelError(cause)
        logger.info({ address, code, detail }, 'link refused')
      } finally {
        pending.delete(socket)
        leave()
      }
    },
    stop() {
      for (const socket of pending) socket.destroy()
    },
  }
}
