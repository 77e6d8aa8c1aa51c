import { expect, test } from 'vitest'
import { createRandomId } from './ids.ts'

test('ids hold 128 bits, fit into a URL and differ', () => {
  const ids = new Set(Array.from({ length: 1_000 }, createRandomId))
  expect(ids.size).toBe(1_000)
  for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/)
})
