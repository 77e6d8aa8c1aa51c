import type { Clock } from '@homeport/runtime'
import { groupAddress, groupNetwork } from '../routing/address-group.ts'

/** Bounds of places where strangers wait who have proved nothing yet. */
export interface PlaceLimits {
  /** Places in all. */
  readonly places: number
  /** Places of one address (IPv6: /64). */
  readonly perAddress: number
  /** Places of one network (IPv4: /24, IPv6: /48). */
  readonly perNetwork: number
}

/** Places where strangers wait for a short time. */
export interface WaitingPlaces {
  /**
   * Takes a place; the answer gives it back. Null where this address has no further one. `evict` is called, at most once, when
   * somebody else needs the place more.
   */
  enter(address: string, evict: () => void): (() => void) | null
}

/** One who waits. */
interface Place {
  readonly since: number
  readonly address: string
  readonly network: string
  readonly evict: () => void
}

/**
 * Who waited so long may have to go. Honest handshakes take a few round trips; a lost packet adds a second or two. Without this a
 * crowd that comes back after an outage would push itself out again and again.
 */
const graceMs = 3_000

type Group = Set<Place>

/**
 * Makes empty places. Newcomers are let in while there is room; when everything is full, the oldest place of the network (and in it of
 * the address) that holds most is taken away, if that network holds more than the newcomer's, or the place is older than three seconds.
 * So many addresses of one hand cannot keep everybody else out.
 */
export function createWaitingPlaces(
  limits: PlaceLimits,
  clock: Pick<Clock, 'monotonicMs'>,
): WaitingPlaces {
  const networks = new Map<string, { count: number; addresses: Map<string, Group> }>()
  let count = 0

  function add(place: Place): void {
    const network = networks.get(place.network) ?? { count: 0, addresses: new Map() }
    networks.set(place.network, network)
    const group = network.addresses.get(place.address) ?? new Set()
    network.addresses.set(place.address, group.add(place))
    network.count += 1
    count += 1
  }

  function remove(place: Place): boolean {
    const network = networks.get(place.network)
    const group = network?.addresses.get(place.address)
    if (network === undefined || group?.delete(place) !== true) return false
    if (group.size === 0) network.addresses.delete(place.address)
    network.count -= 1
    if (network.count === 0) networks.delete(place.network)
    count -= 1
    return true
  }

  /** The oldest of the fullest address in the fullest network. */
  function findWeakest(): { place: Place; networkCount: number } | null {
    let fullest: { count: number; addresses: Map<string, Group> } | null = null
    for (const network of networks.values()) {
      if (fullest === null || network.count > fullest.count) fullest = network
    }
    const groups = [...(fullest?.addresses.values() ?? [])]
    const group = groups.reduce<Group | null>(
      (most, next) => (most === null || next.size > most.size ? next : most),
      null,
    )
    for (const place of group ?? []) return { place, networkCount: fullest?.count ?? 0 }
    return null
  }

  function makeRoom(newcomer: Place): boolean {
    const weakest = findWeakest()
    if (weakest === null) return false
    const own = networks.get(newcomer.network)?.count ?? 0
    const isOld = newcomer.since - weakest.place.since >= graceMs
    if (!isOld && weakest.networkCount <= own + 1) return false
    remove(weakest.place)
    weakest.place.evict()
    return true
  }

  return {
    enter(address, evict) {
      const place: Place = {
        since: clock.monotonicMs(),
        address: groupAddress(address),
        network: groupNetwork(address),
        evict,
      }
      const network = networks.get(place.network)
      const ofAddress = network?.addresses.get(place.address)?.size ?? 0
      if (ofAddress >= limits.perAddress || (network?.count ?? 0) >= limits.perNetwork) return null
      if (count >= limits.places && !makeRoom(place)) return null
      add(place)
      return () => void remove(place)
    },
  }
}
