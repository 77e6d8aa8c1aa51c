import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = [Address, number]

/** What the agent's owner lets it reach. */
export interface AllowListOptions {
  /** CIDR ranges; empty means the private ranges of RFC 1918 and RFC 4193. */
  ranges: readonly string[]
  /** Whether the agent's own machine (127.0.0.0/8, ::1) may be a target. */
  loopback: boolean
}

/** Decides which addresses the agent dials. It is the agent's own word: no relay can widen it. */
export interface AllowList {
  /** True for an address (text form) that may be dialled. */
  allows(address: string): boolean
}

const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']

// Where cloud machines keep their credentials; refused even inside an allowed range.
const metadataAddresses = ['169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254']

const neverRanges = new Set(['linkLocal', 'multicast', 'unspecified', 'broadcast'])

/** Makes the list; throws TypeError naming every range that is not CIDR. */
export function createAllowList(options: AllowListOptions): AllowList {
  const texts = options.ranges.length > 0 ? options.ranges : privateRanges
  const ranges = parseRanges(texts)
  const metadata = metadataAddresses.map(text => ipaddr.parse(text).toNormalizedString())
  return {
    allows(text) {
      if (!ipaddr.isValid(text)) return false
      // `process` unwraps ::ffff:a.b.c.d, so that a mapped form cannot name what its IPv4 form may not.
      const address = ipaddr.process(text)
      if (neverRanges.has(address.range())) return false
      if (metadata.includes(address.toNormalizedString())) return false
      if (address.range() === 'loopback') return options.loopback
      return ranges.some(range => contains(range, address))
    },
  }
}

function parseRanges(texts: readonly string[]): Range[] {
  const bad = texts.filter(text => !ipaddr.isValidCIDR(text))
  if (bad.length > 0) throw new TypeError(`not a CIDR range: ${bad.join(', ')}`)
  return texts.map(text => ipaddr.parseCIDR(text))
}

const contains = ([base, bits]: Range, address: Address): boolean =>
  base.kind() === address.kind() && address.match(base as never, bits)
