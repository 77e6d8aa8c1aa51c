import { expect, test } from 'vitest'
import { readLimits } from './limits.ts'

const text = `/** Bytes of one frame. */
export const FRAME_LIMIT_BYTES = 32 * 1024

/**
 * How long a peer
 * may be silent.
 */
const silenceLimitMs = 20_000

/** A version is no limit. */
export const VERSION = 0

/** Derived from another constant: its value stands there. */
export const windowLimitBytes = 16 * FRAME_LIMIT_BYTES

interface Bounds {
  /** Streams at once. */
  readonly streamLimit: number
}
const defaults: Bounds = {
  streamLimit: 1024,
}
`

test('documented constants and the defaults of documented fields are limits', () => {
  const file = 'packages/tunnel/src/x.ts'
  expect(readLimits({ path: file, text })).toEqual([
    { file, name: 'FRAME_LIMIT_BYTES', value: 32_768, meaning: 'Bytes of one frame.' },
    { file, name: 'silenceLimitMs', value: 20_000, meaning: 'How long a peer may be silent.' },
    { file, name: 'streamLimit', value: 1024, meaning: 'Streams at once.' },
  ])
})

test('in a room’s table every number is a limit, whatever its name', () => {
  const table = text.replaceAll('streamLimit', 'streams')
  const namesIn = (path: string) => readLimits({ path, text: table }).map(({ name }) => name)
  expect(namesIn('packages/tunnel/src/limits.ts')).toContain('streams')
  expect(namesIn('packages/tunnel/src/x.ts')).not.toContain('streams')
})
