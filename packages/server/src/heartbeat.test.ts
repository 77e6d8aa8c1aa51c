import { createManualClock } from '@homeport/runtime/testing'
import { expect, it } from 'vitest'
import { watchHeartbeat } from './heartbeat.ts'

function watch() {
  const clock = createManualClock()
  const told: string[] = []
  const state = { asked: 0 }
  const heartbeat = watchHeartbeat({
    clock,
    ask: () => {
      state.asked += 1
    },
    onSilent: isSilent => told.push(isSilent ? 'silent' : 'heard'),
    onHang: () => told.push('hangs'),
  })
  return { clock, told, state, heartbeat }
}

it('a thread that answers within its time is left alone', () => {
  const { clock, told, state, heartbeat } = watch()
  for (let round = 0; round < 50; round += 1) {
    clock.advance(9_000)
    heartbeat.hear()
  }
  expect(state.asked).toBe(50)
  expect(told).toEqual([])
})

it('one that is silent for 10 s is told, and when it is back; after 60 s it hangs', () => {
  const { clock, told, state, heartbeat } = watch()
  clock.advance(1_000)
  clock.advance(9_000)
  expect(told).toEqual([])
  clock.advance(1_000)
  expect(told).toEqual(['silent'])
  expect(heartbeat.isSilent()).toBe(true)
  clock.advance(48_000)
  heartbeat.hear()
  expect(told).toEqual(['silent', 'heard'])
  expect(heartbeat.isSilent()).toBe(false)
  clock.advance(60_000)
  expect(told).toEqual(['silent', 'heard', 'silent'])
  expect(state.asked).toBe(2)
  clock.advance(1_000)
  expect(told).toEqual(['silent', 'heard', 'silent', 'hangs'])
  expect(clock.waitingCount()).toBe(0)
})

it('time in which nobody here ran does not count', () => {
  const clock = createManualClock()
  const told: string[] = []
  let look = () => {}
  watchHeartbeat({
    clock: {
      monotonicMs: clock.monotonicMs,
      setInterval(run) {
        look = run
        return { cancel: () => {} }
      },
    },
    ask: () => {},
    onSilent: () => told.push('silent'),
    onHang: () => told.push('hangs'),
  })
  look()
  clock.advance(3_600_000)
  look()
  expect(told).toEqual([])
})
