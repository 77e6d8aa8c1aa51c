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
const metadataAddresses = (
  '169.254.169.254 100.100.100.200 192.0.0.192 168.63.129.16 ' +
  'fd00:ec2::254 fd00:ec2::23 fd20:ce::254 fd00:42::42 fd00:c1::a9fe:a9fe'
).split(' ')

const neverRanges = new Set(['linkLocal', 'multicast', 'unspecified', 'broadcast'])

/** Makes the list; throws TypeError naming every range that is not CIDR. */
export function createAllowList(options: AllowListOptions): AllowList {
  const texts = options.ranges.length > 0 ? options.ranges : privateRanges
  const ranges = parseRanges(texts)
  const metadata = metadataAddresses.map(text => ipaddr.parse(text).toNormalizedString())
  const isRefused = (address: Address): boolean =>
    neverRanges.has(address.range()) ||
    metadata.includes(address.toNormalizedString()) ||
    (address.range() === 'loopback' && !options.loopback)
  return {
    allows(text) {
      if (!ipaddr.isValid(text)) return false
      // `process` unwraps ::ffff:a.b.c.d, so that a mapped form cannot name what its IPv4 form may not.
      const address = ipaddr.process(text)
      if (isRefused(address)) return false
      const inner = embeddedIPv4(address)
      if (inner !== null && isRefused(inner)) return false
      return address.range() === 'loopback' || ranges.some(range => contains(range, address))
    },
  }
}

/** Where in 16 bytes a translator or tunnel finds the IPv4 address that it goes on to (RFC 6052, RFC 6145, RFC 3056). */
const embeddedAt: Record<string, number> = { rfc6052: 12, rfc6145: 12, '6to4': 2 }

function embeddedIPv4(address: Address): ipaddr.IPv4 | null {
  const at = embeddedAt[address.range()]
  if (at === undefined) return null
  return new ipaddr.IPv4(address.toByteArray().slice(at, at + 4))
}

function parseRanges(texts: readonly string[]): Range[] {
  const bad = texts.filter(text => !ipaddr.isValidCIDR(text))
  if (bad.length > 0) throw new TypeError(`not a CIDR range: ${bad.join(', ')}`)
  return texts.map(text => ipaddr.parseCIDR(text))
}

const contains = ([base, bits]: Range, address: Address): boolean =>
  base.kind() === address.kind() && address.match(base as never, bits)
