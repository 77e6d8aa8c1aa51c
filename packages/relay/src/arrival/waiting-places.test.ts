import { createManualClock } from '@homeport/runtime/testing'
import { expect, test } from 'vitest'
import { createWaitingPlaces, type PlaceLimits } from './waiting-places.ts'

/** Places and the names of those who had to go, in order. */
function createPlaces(limits: Partial<PlaceLimits>) {
  const clock = createManualClock()
  const all = { places: 4, perAddress: 4, perNetwork: 4, ...limits }
  const places = createWaitingPlaces(all, clock)
  const evicted: string[] = []
  const enter = (address: string, name = address) => places.enter(address, () => evicted.push(name))
  return { clock, evicted, enter }
}

test('an address gets no more than its share, and gets a place back', () => {
  const { enter, evicted } = createPlaces({ perAddress: 2 })
  const leave = enter('192.0.2.1')
  enter('192.0.2.1')
  expect(enter('192.0.2.1')).toBeNull()
  expect(enter('192.0.2.2')).not.toBeNull()
  leave?.()
  leave?.()
  expect(enter('192.0.2.1')).not.toBeNull()
  expect(enter('192.0.2.1')).toBeNull()
  expect(evicted).toEqual([])
})

test.each([
  ['IPv4', ['192.0.2.1', '192.0.2.2', '192.0.2.3'], '192.0.3.1'],
  ['IPv6', ['2001:db8:1:1::1', '2001:db8:1:2::1', '2001:db8:1:3::1'], '2001:db8:2::1'],
])(
  'a network of %s gets no more than its share, however many addresses it has',
  (_, own, other) => {
    const { enter } = createPlaces({ perNetwork: 2 })
    expect(own.map(address => enter(address) !== null)).toEqual([true, true, false])
    expect(enter(other)).not.toBeNull()
  },
)

test('when all is full, the oldest of whoever holds most makes room', () => {
  const { enter, evicted } = createPlaces({})
  enter('198.51.100.1', 'bystander')
  enter('192.0.2.2', 'other address of the crowd')
  enter('192.0.2.1', 'oldest of the crowd')
  enter('192.0.2.1', 'newest of the crowd')
  expect(enter('203.0.113.1', 'newcomer')).not.toBeNull()
  expect(evicted).toEqual(['oldest of the crowd'])
})

test('who was evicted leaves nothing behind, and leaving late takes nobody’s place', () => {
  const { enter, evicted } = createPlaces({ places: 2 })
  const leave = enter('192.0.2.1', 'first')
  enter('192.0.2.1', 'second')
  enter('198.51.100.1', 'newcomer')
  leave?.()
  expect(evicted).toEqual(['first'])
  // Still full: one of each network, none of them old.
  expect(enter('203.0.113.1')).toBeNull()
})

test('a crowd of strangers does not push itself out: nobody young goes for one who holds as much', () => {
  const { enter, evicted, clock } = createPlaces({})
  const addresses = Array.from({ length: 8 }, (_, at) => `10.0.${at}.1`)
  expect(addresses.map(address => enter(address) !== null)).toEqual([
    ...[true, true, true, true],
    ...[false, false, false, false],
  ])
  clock.advance(2_999)
  expect(enter('10.1.0.1')).toBeNull()
  clock.advance(1)
  expect(enter('10.1.0.1')).not.toBeNull()
  expect(evicted).toEqual(['10.0.0.1'])
})

test('one that holds much cannot push others out', () => {
  const { enter, evicted } = createPlaces({})
  enter('198.51.100.1')
  for (let count = 0; count < 3; count += 1) enter('192.0.2.1')
  expect(enter('192.0.2.1')).toBeNull()
  expect(enter('192.0.2.9')).toBeNull()
  expect(evicted).toEqual([])
})

test('1,000 places under 100,000 silent strangers of 16 addresses: everybody else gets in', () => {
  const { enter, evicted, clock } = createPlaces({ places: 1_000, perAddress: 64, perNetwork: 256 })
  let honest = 0
  for (let round = 0; round < 100_000; round += 1) {
    enter(`203.0.${round % 16}.1`, 'hostile')
    if (round % 1_000 !== 0) continue
    clock.advance(10)
    const leave = enter(`198.51.${round / 1_000}.1`, 'honest')
    if (leave !== null) honest += 1
    leave?.()
  }
  expect(honest).toBe(100)
  expect(evicted).not.toContain('honest')
})
