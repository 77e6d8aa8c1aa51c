import { ok, strictEqual } from 'node:assert/strict'
import { isIP } from 'node:net'
import { parseProxyHeader } from '../../packages/relay/src/arrival/proxy-header.ts'
import { mutate, pick } from './bytes.ts'
import type { FuzzTarget } from './run.ts'

const signature = '0d0a0d0a000d0a515549540a'
const ip4 = 'cb007109c0000201d43101bb'
const ip6 = `20010db8${'00'.repeat(11)}0120010db8${'00'.repeat(11)}02d43101bb`
const headers = [
  ...['PROXY TCP4 203.0.113.9 192.0.2.1 54321 443\r\n', 'PROXY TCP6 2001:db8::1 ::1 5 443\r\n'],
  'PROXY UNKNOWN\r\n',
]
  .map(text => Buffer.from(text))
  .concat(
    [`2111000c${ip4}`, `21210024${ip6}`, '20000000', `21110010${ip4}04000100`].map(hex =>
      Buffer.from(signature + hex, 'hex'),
    ),
  )
const words = [
  ...[
    'PROXY ',
    'TCP6',
    'UNKNOWN',
    ' ',
    '\r\n',
    '\n',
    '65536',
    '::ffff:1.2.3.4',
    '01',
    'f'.repeat(100),
  ],
  ...['\x03\x00\x04', '\xff\xff', '\x00\x0c', '\x21', '\x00'],
]

/** The reader of PROXY headers: more bytes never change what fewer have settled. */
export const proxyTarget: FuzzTarget = {
  name: 'proxy-headers',
  make: random =>
    Buffer.concat([mutate(pick(random, headers), random, words, 3), Buffer.from('GET /')]),
  check(input) {
    const whole = parseProxyHeader(input)
    let length = 0
    let early = parseProxyHeader(input.subarray(0, length))
    while (early.kind === 'incomplete' && length < input.length) {
      length += 1
      early = parseProxyHeader(input.subarray(0, length))
    }
    strictEqual(early.kind, whole.kind)
    if (whole.kind === 'incomplete') ok(input.length < 4096)
    if (whole.kind !== 'whole' || early.kind !== 'whole') return 'refused'
    strictEqual(early.bytes, whole.bytes)
    strictEqual(length, whole.bytes)
    strictEqual(early.source?.address, whole.source?.address)
    if (whole.source !== null) ok(isIP(whole.source.address) !== 0)
    return 'accepted'
  },
}
