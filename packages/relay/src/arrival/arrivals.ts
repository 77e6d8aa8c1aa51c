import type { Socket } from 'node:net'
import { type Clock, createRateLimiter, type Logger } from '@homeport/runtime'
import { groupAddress, groupNetwork } from '../routing/address-group.ts'
import { type IsTrustedAddress, type Source, sourceOf } from '../visitors/proxy-trust.ts'
import type { ArrivalLimits } from './limits.ts'
import type { ProxiedSource } from './proxy-header.ts'
import { readProxyHeader } from './read-proxy-header.ts'

/** Which listeners expect a PROXY header from trusted proxies: none, the front door, or the ports of tcp records too. */
export type ProxyProtocol = 'off' | 'door' | 'all'

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

  const isTooFast = ({ address, isTrusted }: Source) =>
    !isTrusted &&
    // An address that is refused takes nothing from its network: one noisy neighbour does not use it up.
    !(
      addresses.take(groupAddress(address)).isAllowed &&
      networks.take(groupNetwork(address)).isAllowed
    )

  function pass(socket: Socket, source: Source, enter: (source: Source) => void): void {
    if (isTooFast(source)) {
      logger.debug({ address: source.address }, 'connects too often')
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
