import { expect, it } from 'vitest'
import { describePlace } from './places.ts'

const here = '198.51.100.9'

it.each([
  ['127.0.0.1', 'loopback', '127.0.0.1'],
  ['::1', 'loopback', '::1'],
  ['::ffff:127.0.0.1', 'loopback', '127.0.0.1'],
  ['192.168.1.20', 'private', '192.168.1.20'],
  ['172.31.0.1', 'private', '172.31.0.1'],
  ['172.32.0.1', 'public', '172.32.0.*'],
  ['100.127.0.1', 'private', '100.127.0.1'],
  ['100.128.0.1', 'public', '100.128.0.*'],
  ['fd12:3456::1', 'private', 'fd12:3456::1'],
  ['fe80::1', 'private', 'fe80::1'],
  ['203.0.113.77', 'public', '203.0.113.*'],
  ['::ffff:203.0.113.77', 'public', '203.0.113.*'],
  ['2001:db8:1:2:3:4:5:6', 'public', '2001:db8:1::*'],
  ['2001:db8::6', 'public', '2001:db8:0::*'],
  ['198.51.100.9', 'same', '198.51.100.*'],
  ['198.51.100.10', 'public', '198.51.100.*'],
  ['', 'public', ''],
])('%s is %s, shown as %s', (address, network, shown) => {
  expect(describePlace(address, here)).toEqual({ address: shown, network })
})

it('knows the network of an IPv6 subscriber by its /64', () => {
  expect(describePlace('2001:db8:1:2::5', '2001:db8:1:2:9::1').network).toBe('same')
  expect(describePlace('2001:db8:1:3::5', '2001:db8:1:2:9::1').network).toBe('public')
})
