import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One text for all addresses that are counted together: an IPv4 address, or the /64 that one IPv6 visitor has. */
export function groupAddress(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address) // `::ffff:192.0.2.1` of a dual-stack listener becomes 192.0.2.1
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return Buffer.from(network).toString('hex')
}

/** The wider group: a /24 of IPv4, or the /48 that one IPv6 site gets. Whoever has one address of it may have them all. */
export function groupNetwork(address: string): string {
  const group = groupAddress(address)
  return isIPv4(group) ? group.slice(0, group.lastIndexOf('.')) : group.slice(0, 12)
}
