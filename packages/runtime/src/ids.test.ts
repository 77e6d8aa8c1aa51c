import { expect, test } from 'vitest'
import { createRandomHex, createRandomId } from './ids.ts'

test('ids hold 128 bits, fit into a URL and differ', () => {
  const ids = new Set(Array.from({ length: 1_000 }, createRandomId))
  expect(ids.size).toBe(1_000)
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/)
})

test('hexadecimal ids have two characters for each byte', () => {
  expect(createRandomHex()).toMatch(/^[0-9a-f]{32}$/)
  expect(createRandomHex(4)).toMatch(/^[0-9a-f]{8}$/)
})
