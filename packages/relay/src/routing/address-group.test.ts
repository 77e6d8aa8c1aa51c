import { expect, it } from 'vitest'
import { groupAddress, groupNetwork } from './address-group.ts'

it.each([
  ['192.0.2.1', '192.0.2.1', true],
  ['192.0.2.1', '192.0.2.2', false],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8::1', '2001:db8:0:0:1::', true],
])('counts %s and %s together: %s', (a, b, isOne) => {
  expect(groupAddress(a) === groupAddress(b)).toBe(isOne)
})

it.each([
  ['192.0.2.1', '192.0.2.254', true],
  ['192.0.2.1', '192.0.3.1', false],
  ['::ffff:192.0.2.1', '192.0.2.9', true],
  ['2001:db8:1:2::1', '2001:db8:1:ffff::1', true],
  ['2001:db8:1::1', '2001:db8:2::1', false],
])('counts the networks of %s and %s together: %s', (a, b, isOne) => {
  expect(groupNetwork(a) === groupNetwork(b)).toBe(isOne)
})
