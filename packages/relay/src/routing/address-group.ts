import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** One text for all addresses that are counted together: an IPv4 address, or the /64 that one IPv6 visitor has. */
export function groupAddress(address: string): string {
  if (!isIPv6(address)) return address
  const parsed = ipaddr.process(address) // `::ffff:192.0.2.1` of a dual-stack listener becomes 192.0.2.1
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const network = parsed.toByteArray().slice(0, 8)
  return Buffer.from(network).toString('hex')
}
