import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { crc32c } from './crc32c.ts'

/** Where a proxy says that a connection comes from. */
export interface ProxiedSource {
  readonly address: string
  readonly port: number
}

/** What the first bytes of a connection are. */
export type ProxyHeader =
  | { readonly kind: 'incomplete' }
  | {
      readonly kind: 'whole'
      /** What follows these bytes is the visitor's. */
      readonly bytes: number
      /** Null where the proxy speaks for itself (LOCAL) or cannot name the visitor (UNKNOWN, UNSPEC, UDP, UNIX). */
      readonly source: ProxiedSource | null
    }
  | { readonly kind: 'broken'; readonly reason: string }

/** The longest line of version 1 with its CRLF: the specification's worst case (section 2.1). */
const lineLimitBytes = 107
/** The longest header of version 2: a proxy may add what it knows of the visitor's TLS, nobody adds more than this. */
const binaryLimitBytes = 4096

const linePrefix = Buffer.from('PROXY ')
const signature = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
// Signature, version and command, family and protocol, length u16.
const fixedBytes = 16

const incomplete: ProxyHeader = { kind: 'incomplete' }
const broken = (reason: string): ProxyHeader => ({ kind: 'broken', reason })

/**
 * Reads a PROXY header, version 1 or 2, at the start of a connection (HAProxy's proxy-protocol.txt, section 2). Bytes that cannot
 * become one are `broken` at once. "Any sequence which does not exactly match the protocol must be discarded and cause the receiver
 * to abort the connection."
 */
export function parseProxyHeader(bytes: Buffer): ProxyHeader {
  if (startsLike(bytes, linePrefix)) return parseLine(bytes)
  if (startsLike(bytes, signature)) return parseBinary(bytes)
  return broken('no PROXY header')
}

/** Is one of the two the beginning of the other? */
function startsLike(bytes: Buffer, prefix: Buffer): boolean {
  const length = Math.min(bytes.length, prefix.length)
  return bytes.subarray(0, length).equals(prefix.subarray(0, length))
}

function parseLine(bytes: Buffer): ProxyHeader {
  const line = bytes.toString('latin1', 0, lineLimitBytes)
  // "The receiver must not tolerate a single CR or LF character to end the line."
  const at = line.search(/[\r\n]/)
  if (at < 0) return bytes.length < lineLimitBytes ? incomplete : broken('PROXY line too long')
  if (line[at] === '\r' && at + 1 === bytes.length) return incomplete
  if (line.slice(at, at + 2) !== '\r\n') return broken('PROXY line without CRLF')
  const size = at + 2
  // "For UNKNOWN, the receiver must ignore anything presented before the CRLF is found."
  if (/^PROXY UNKNOWN(?: |$)/.test(line.slice(0, at))) {
    return { kind: 'whole', bytes: size, source: null }
  }
  const source = readLineSource(line.slice(0, at))
  return source === null ? broken('odd PROXY line') : { kind: 'whole', bytes: size, source }
}

// "Heading zeroes are not permitted in front of numbers."
const lineForm =
  /^PROXY TCP([46]) ([0-9a-fA-F.:]+) ([0-9a-fA-F.:]+) (0|[1-9]\d{0,4}) (0|[1-9]\d{0,4})$/

function readLineSource(line: string): ProxiedSource | null {
  const match = lineForm.exec(line)
  if (match === null) return null
  const [, family, address = '', destination = '', port, destinationPort] = match
  const isAddress = family === '4' ? isIPv4 : isIPv6
  if (!isAddress(address) || !isAddress(destination)) return null
  if (Number(port) > 65_535 || Number(destinationPort) > 65_535) return null
  return { address: plainText(address), port: Number(port) }
}

/** One spelling for one address: limits and logs compare texts. */
const plainText = (address: string) => ipaddr.process(address).toString()

/** Bytes of the addresses and ports behind the fixed part, for each known family and protocol; UNSPEC has none. */
const addressBytes: ReadonlyMap<number, number> = new Map([
  [0x00, 0],
  [0x11, 12],
  [0x12, 12],
  [0x21, 36],
  [0x22, 36],
  [0x31, 216],
  [0x32, 216],
])

function parseBinary(bytes: Buffer): ProxyHeader {
  if (bytes.length > 12 && (bytes[12] ?? 0) >> 4 !== 2) return broken('PROXY version')
  if (bytes.length < fixedBytes) return incomplete
  const size = fixedBytes + bytes.readUInt16BE(14)
  if (size > binaryLimitBytes) return broken('PROXY header too long')
  const command = (bytes[12] ?? 0) & 0x0f
  if (command > 1) return broken('PROXY command')
  const family = bytes[13] ?? 0
  if (family >> 4 > 3 || (family & 0x0f) > 2) return broken('PROXY family or protocol')
  if (bytes.length < size) return incomplete
  // LOCAL: "discard the protocol block including the family which is ignored".
  const isUnknown = command === 0 || family === 0
  return isUnknown
    ? { kind: 'whole', bytes: size, source: null }
    : readAddresses(bytes.subarray(0, size), family)
}

function readAddresses(header: Buffer, family: number): ProxyHeader {
  const length = addressBytes.get(family)
  // An address without a protocol, or the reverse: there is no telling where its fields would end.
  if (length === undefined) return { kind: 'whole', bytes: header.length, source: null }
  const end = fixedBytes + length
  if (header.length < end) return broken('PROXY addresses cut off')
  const problem = checkVectors(header, end)
  if (problem !== null) return broken(problem)
  const isTcp = family === 0x11 || family === 0x21
  return { kind: 'whole', bytes: header.length, source: isTcp ? readSource(header, length) : null }
}

function readSource(header: Buffer, length: number): ProxiedSource {
  const each = (length - 4) / 2
  const address = [...header.subarray(fixedBytes, fixedBytes + each)]
  const text = ipaddr.fromByteArray(address).toString()
  return { address: plainText(text), port: header.readUInt16BE(fixedBytes + 2 * each) }
}

const checksumType = 0x03

/** Walks the type-length-value fields: they fill the header exactly, and a checksum among them is right. */
function checkVectors(header: Buffer, start: number): string | null {
  let at = start
  while (at < header.length) {
    if (at + 3 > header.length) return 'PROXY field cut off'
    const type = header[at]
    const valueAt = at + 3
    at = valueAt + header.readUInt16BE(at + 1)
    if (at > header.length) return 'PROXY field cut off'
    if (type !== checksumType) continue
    if (at - valueAt !== 4) return 'PROXY checksum field'
    if (!isChecksumRight(header, valueAt)) return 'PROXY checksum'
  }
  return null
}

/** Section 2.2.3: the sum of the whole header, taken while its own field holds zeros. */
function isChecksumRight(header: Buffer, at: number): boolean {
  const blank = Buffer.from(header)
  blank.writeUInt32BE(0, at)
  return crc32c(blank) === header.readUInt32BE(at)
}
