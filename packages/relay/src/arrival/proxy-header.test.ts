import { describe, expect, test } from 'vitest'
import { crc32c } from './crc32c.ts'
import { parseProxyHeader } from './proxy-header.ts'

const signature = '0d0a0d0a000d0a515549540a'
const hex = (...parts: string[]) => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex')
/** A header of version 2: command and family as hex, then what its length covers. */
const binary = (
  commandAndFamily: string,
  rest = '',
  length = rest.replaceAll(' ', '').length / 2,
) => hex(signature, commandAndFamily, length.toString(16).padStart(4, '0'), rest)

const ip4 = 'cb007109 c0000201 d431 01bb'
const ip6 = '20010db8000000000000000000000001 20010db8000000000000000000000002 d431 01bb'
const source4 = { address: '203.0.113.9', port: 54_321 }
const source6 = { address: '2001:db8::1', port: 54_321 }

/** The header with a checksum field over it, as section 2.2.3 makes it. */
function withChecksum(header: Buffer): Buffer {
  const blank = Buffer.concat([header, hex('03 0004 00000000')])
  blank.writeUInt16BE(blank.length - 16, 14)
  const sum = crc32c(blank)
  blank.writeUInt32BE(sum, blank.length - 4)
  return blank
}

// The check value of CRC-32C over these nine digits, as catalogues of checksums give it; and RFC 3720 appendix B.4.
test('the checksum is Castagnoli’s', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe306_9283)
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a91_36aa)
})

test.each<[string, Buffer, object | null]>([
  ['IPv4', Buffer.from('PROXY TCP4 203.0.113.9 192.0.2.1 54321 443\r\n'), source4],
  ['IPv6', Buffer.from('PROXY TCP6 2001:0DB8::0001 2001:db8::2 54321 443\r\n'), source6],
  [
    'IPv4 in IPv6',
    Buffer.from('PROXY TCP6 ::ffff:203.0.113.9 ::ffff:192.0.2.1 54321 443\r\n'),
    source4,
  ],
  ['UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['UNKNOWN with anything', Buffer.from('PROXY UNKNOWN a b\t"c" 99999999\r\n'), null],
  ['the longest line', Buffer.from(`PROXY UNKNOWN ${'f'.repeat(91)}\r\n`), null],
  ['binary IPv4', binary('2111', ip4), source4],
  ['binary IPv6', binary('2121', ip6), source6],
  [
    'binary IPv4 in IPv6',
    binary('2121', `${'00'.repeat(10)}ffffcb007109${'00'.repeat(16)}d43101bb`),
    source4,
  ],
  ['binary LOCAL', binary('2000'), null],
  ['binary LOCAL with addresses', binary('2011', ip4), null],
  ['binary LOCAL of any family, with junk', binary('2021', 'ffff'), null],
  ['binary UNSPEC', binary('2100', 'ffffff'), null],
  ['binary UNSPEC protocol', binary('2110', ip4), null],
  ['binary UDP', binary('2112', ip4), null],
  ['binary UNIX', binary('2131', '00'.repeat(216)), null],
  ['fields', binary('2111', `${ip4} 04 0003 000000 e0 0000 02 0001 61`), source4],
  ['a checksum', withChecksum(binary('2111', ip4)), source4],
  ['a checksum over other fields', withChecksum(binary('2121', `${ip6} 02 0001 61`)), source6],
  [
    '4 KiB',
    binary(
      '2111',
      `${ip4} 04 ${(4096 - 31).toString(16).padStart(4, '0')} ${'00'.repeat(4096 - 31)}`,
    ),
    source4,
  ],
])('reads %s, whole, byte by byte, and with more behind it', (_, bytes, source) => {
  const whole = { kind: 'whole', bytes: bytes.length, source }
  expect(parseProxyHeader(bytes)).toEqual(whole)
  expect(parseProxyHeader(Buffer.concat([bytes, Buffer.from('GET / HTTP/1.1\r\n')]))).toEqual(whole)
  for (let length = 1; length < bytes.length; length += 1) {
    expect(parseProxyHeader(bytes.subarray(0, length))).toEqual({ kind: 'incomplete' })
  }
})

describe('refuses', () => {
  const line = (rest: string) => Buffer.from(`PROXY ${rest}`, 'latin1')
  test.each<[string, Buffer, string]>([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\n'), 'no PROXY header'],
    ['TLS', hex('16030102'), 'no PROXY header'],
    ['one odd byte', Buffer.from('Q'), 'no PROXY header'],
    ['small letters', Buffer.from('proxy TCP4'), 'no PROXY header'],
    ['a tab', Buffer.from('PROXY\tTCP4'), 'no PROXY header'],
    ['empty lines', Buffer.from('\r\n\r\nGET'), 'no PROXY header'],
    ['LF alone', line('TCP4 1.2.3.4 1.2.3.4 1 2\n'), 'PROXY line without CRLF'],
    ['CR alone', line('TCP4 1.2.3.4 1.2.3.4 1 2\rX'), 'PROXY line without CRLF'],
    ['LF in UNKNOWN', line('UNKNOWN a\nb\r\n'), 'PROXY line without CRLF'],
    ['108 bytes', line(`UNKNOWN ${'f'.repeat(92)}\r\n`), 'PROXY line without CRLF'],
    ['109 bytes', line(`UNKNOWN ${'f'.repeat(93)}\r\n`), 'PROXY line too long'],
    ['a line without an end', line('f'.repeat(101)), 'PROXY line too long'],
    ['another protocol', line('UDP4 1.2.3.4 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['UNKNOWN in another word', line('UNKNOWNS\r\n'), 'odd PROXY line'],
    ['two spaces', line('TCP4  1.2.3.4 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['a space at the end', line('TCP4 1.2.3.4 1.2.3.4 1 2 \r\n'), 'odd PROXY line'],
    ['a missing port', line('TCP4 1.2.3.4 1.2.3.4 1\r\n'), 'odd PROXY line'],
    ['a port with a zero before', line('TCP4 1.2.3.4 1.2.3.4 01 2\r\n'), 'odd PROXY line'],
    ['a port over 65535', line('TCP4 1.2.3.4 1.2.3.4 65536 2\r\n'), 'odd PROXY line'],
    ['a destination port over 65535', line('TCP4 1.2.3.4 1.2.3.4 1 65536\r\n'), 'odd PROXY line'],
    ['a negative port', line('TCP4 1.2.3.4 1.2.3.4 -1 2\r\n'), 'odd PROXY line'],
    ['an octal address', line('TCP4 01.2.3.4 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['a short address', line('TCP4 1.2.3 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['a byte over 255', line('TCP4 1.2.3.256 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['IPv6 as TCP4', line('TCP4 ::1 ::1 1 2\r\n'), 'odd PROXY line'],
    ['IPv4 as TCP6', line('TCP6 1.2.3.4 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['two double colons', line('TCP6 1::2::3 ::1 1 2\r\n'), 'odd PROXY line'],
    ['an address with a zone', line('TCP6 fe80::1%eth0 ::1 1 2\r\n'), 'odd PROXY line'],
    ['a name as address', line('TCP4 localhost 1.2.3.4 1 2\r\n'), 'odd PROXY line'],
    ['digits of another script', line('TCP4 1.2.3.4 1.2.3.4 \xb2 2\r\n'), 'odd PROXY line'],
    ['version 1 in binary', binary('1111', ip4), 'PROXY version'],
    ['version 3', hex(signature, '31'), 'PROXY version'],
    ['another command', binary('2211', ip4), 'PROXY command'],
    ['another family', binary('2141', ip4), 'PROXY family or protocol'],
    ['another protocol number', binary('2113', ip4), 'PROXY family or protocol'],
    ['over 4 KiB, as soon as it says so', binary('2111', '', 4081), 'PROXY header too long'],
    ['LOCAL of 64 KiB', binary('2000', '', 0xffff), 'PROXY header too long'],
    ['addresses cut off', binary('2111', ip4.slice(0, -5)), 'PROXY addresses cut off'],
    ['IPv6 with the length of IPv4', binary('2121', ip4), 'PROXY addresses cut off'],
    ['a field without a length', binary('2111', `${ip4} 04 00`), 'PROXY field cut off'],
    [
      'a field that is longer than the header',
      binary('2111', `${ip4} 04 0002 00`),
      'PROXY field cut off',
    ],
    ['a checksum of 3 bytes', binary('2111', `${ip4} 03 0003 000000`), 'PROXY checksum field'],
    ['a wrong checksum', binary('2111', `${ip4} 03 0004 00000000`), 'PROXY checksum'],
    ['two checksums', withChecksum(withChecksum(binary('2111', ip4))), 'PROXY checksum'],
  ])('%s', (_, bytes, reason) => {
    expect(parseProxyHeader(bytes)).toEqual({ kind: 'broken', reason })
  })
})

test('with a checksum, no flipped bit makes it name another address', () => {
  const header = withChecksum(binary('2111', `${ip4} 02 0001 61`))
  for (let bit = 0; bit < header.length * 8; bit += 1) {
    const flipped = Buffer.from(header)
    flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    const read = parseProxyHeader(flipped)
    // Nobody is named where the flip made it LOCAL or another family; a flip in the checksum's type leaves the address as it was.
    if (read.kind === 'whole') expect([null, source4]).toContainEqual(read.source)
  }
})

/** mulberry32: a small generator, so that a failing run can be repeated from its seed. */
function createRandom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

test('20,000 mutated headers never make it throw, wait for more than 4 KiB, or name what is no address', () => {
  const random = createRandom(3)
  const seeds = [
    Buffer.from('PROXY TCP4 203.0.113.9 192.0.2.1 54321 443\r\n'),
    Buffer.from('PROXY TCP6 2001:db8::1 ::ffff:1.2.3.4 54321 443\r\n'),
    Buffer.from('PROXY UNKNOWN\r\n'),
    withChecksum(binary('2121', ip6)),
    binary('2111', `${ip4} 04 0003 000000`),
  ]
  const kinds = { whole: 0, broken: 0, incomplete: 0 }
  for (let round = 0; round < 20_000; round += 1) {
    const bytes = Buffer.from(seeds[round % seeds.length] ?? [])
    for (let times = 1 + random() * 3; times > 1; times -= 1) {
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    }
    const padded = random() < 0.5 ? bytes : Buffer.concat([bytes, Buffer.alloc(4096)])
    const header = parseProxyHeader(padded)
    kinds[header.kind] += 1
    if (header.kind === 'incomplete') expect(padded.length).toBeLessThan(4096)
    if (header.kind !== 'whole') continue
    expect(header.bytes).toBeLessThanOrEqual(padded.length)
    if (header.source !== null) expect(header.source.address).toMatch(/^[0-9a-f.:]{2,45}$/)
  }
  expect(Math.min(...Object.values(kinds))).toBeGreaterThan(100)
})
