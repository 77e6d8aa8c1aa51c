import { gateLifetimeMs } from '@homeport/contract/gate'
import { expect, it } from 'vitest'
import { createEndedSessions } from './ended-sessions.ts'

it('remembers a session for as long as a cookie of it may live', () => {
  let now = 0
  const ended = createEndedSessions(() => now)
  ended.add('s')
  expect([ended.has('s'), ended.has('t')]).toEqual([true, false])
  now = gateLifetimeMs - 1
  expect(ended.has('s')).toBe(true)
  now = gateLifetimeMs
  expect(ended.has('s')).toBe(false)
})
