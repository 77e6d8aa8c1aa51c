import { expect, it } from 'vitest'
import { createBoundedMap } from './bounded-map.ts'

it('forgets what was used longest ago, and never holds more than its limit', () => {
  const map = createBoundedMap<string, number>(2)
  map.set('a', 1)
  map.set('b', 2)
  expect(map.get('a')).toBe(1)
  map.set('c', 3)
  expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  map.set('c', 4)
  map.delete('a')
  map.set('d', 5)
  expect([map.get('a'), map.get('c'), map.get('d')]).toEqual([undefined, 4, 5])
})
