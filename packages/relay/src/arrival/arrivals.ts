import type { Socket } from 'node:net'
import { type Clock, createRareLine, createRateLimiter, type Logger } from '@homeport/runtime'
import { groupAddress, groupNetwork } from '../routing/address-group.ts'
import { type IsTrustedAddress, type Source, sourceOf } from '../visitors/proxy-trust.ts'
import { createCrowd } from './crowd.ts'
import type { ArrivalLimits } from './limits.ts'
import type { ProxiedSource } from './proxy-header.ts'
import { readProxyHeader } from './read-proxy-header.ts'

/** Which listeners expect a PROXY header from trusted proxies: none, the front door, or the ports of tcp records too. */
export type ProxyProtocol = 'off' | 'door' | 'all'

/** A new connection counts as so many for its address and network while half of what the relay takes is spent. */
const crowdCost = 8
/** A flood writes one line in so many ms. */
const linePeriodMs = 10_000

/** What arrivals are judged with. */
export interface ArrivalsParts {
  readonly proxyProtocol: ProxyProtocol
  readonly isTrusted: IsTrustedAddress
  readonly limits: ArrivalLimits
  readonly clock: Clock
  readonly logger: Logger
}

/** Finds out who connects before anything else is done for a connection. */
export interface Arrivals {
  /**
   * Gives a new socket on, with where it comes from; at once, but for a trusted proxy that has to say so first. What is not given on
   * is reset. A socket that was paused stays so, and one that a header was read from is paused: `enter` resumes it.
   */
  admit(place: 'door' | 'port', socket: Socket, enter: (source: Source) => void): void
}

/** Makes the judge of all listeners of a relay. */
export function createArrivals(parts: ArrivalsParts): Arrivals {
  const { limits, clock, logger, isTrusted, proxyProtocol } = parts
  const addresses = createRateLimiter({
    burst: limits.newConnectionsPerAddressBurst,
    perSecond: limits.newConnectionsPerAddressPerSecond,
    keyLimit: limits.addressLimit,
    clock,
  })
  const networks = createRateLimiter({
    burst: limits.newConnectionsPerNetworkBurst,
    perSecond: limits.newConnectionsPerNetworkPerSecond,
    keyLimit: limits.addressLimit,
    clock,
  })

  const crowd = createCrowd({
    burst: limits.newConnectionsBurst,
    perSecond: limits.newConnectionsPerSecond,
    clock,
  })
  const tellFull = createRareLine<string>({ periodMs: linePeriodMs, clock }, (count, address) =>
    logger.warn({ count, address }, 'more new connections than the relay takes were reset'),
  )

  /** Who is refused takes nothing from those above: one noisy neighbour uses up neither its network nor the relay. */
  function isRefused({ address, isTrusted }: Source): boolean {
    const state = crowd.state()
    if (state === 'full') {
      tellFull(address)
      return true
    }
    const cost = state === 'calm' ? 1 : crowdCost
    if (
      !isTrusted &&
      !(
        addresses.take(groupAddress(address), cost).isAllowed &&
        networks.take(groupNetwork(address), cost).isAllowed
      )
    ) {
      logger.debug({ address }, 'connects too often')
      return true
    }
    crowd.enter()
    return false
  }

  function pass(socket: Socket, source: Source, enter: (source: Source) => void): void {
    if (isRefused(source)) {
      socket.on('error', () => undefined)
      socket.resetAndDestroy()
    } else enter(source)
  }

  // Who cannot be named is the proxy itself as far as limits go, but its bytes are a stranger's: a proxy that speaks this protocol
  // writes no header fields, so none are believed.
  const sourceBehind = (proxy: Source, named: ProxiedSource | null): Source =>
    named === null
      ? { ...proxy, isTrusted: false }
      : { ...named, isTrusted: isTrusted(named.address) }

  return {
    admit(place, socket, enter) {
      const peer = sourceOf(socket, isTrusted)
      const speaksFirst = proxyProtocol === 'all' || (proxyProtocol === 'door' && place === 'door')
      if (!speaksFirst || !peer.isTrusted) return pass(socket, peer, enter)
      const onError = () => undefined // every error is followed by 'close', which ends the reading
      socket.on('error', onError)
      readProxyHeader(socket, {
        timeoutMs: limits.proxyHeaderMs,
        clock,
        onSource(named) {
          socket.off('error', onError)
          pass(socket, sourceBehind(peer, named), enter)
        },
        onBroken(reason) {
          if (reason !== null) {
            logger.warn({ proxy: peer.address, reason }, 'a trusted proxy sent no PROXY header')
          }
          socket.resetAndDestroy()
        },
      })
    },
  }
}
