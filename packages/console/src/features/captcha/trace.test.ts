import { captchaTraceLimit } from '@homeport/contract'
import { expect, it } from 'vitest'
import { createTraceRecorder } from './trace.ts'

it('notes places with the ms since the challenge was shown', () => {
  let now = 1000
  const recorder = createTraceRecorder(() => now)
  recorder.add(1, 1)
  now = 2000
  recorder.start()
  now = 2016.66
  recorder.add(10.04, 20)
  expect(recorder.read()).toEqual([{ x: 10, y: 20, t: 16.7 }])
})

it('sends an even choice of a long drag, with its first and last point', () => {
  let now = 0
  const recorder = createTraceRecorder(() => now)
  for (now = 0; now < 3000; now += 1) recorder.add(now / 10, 0)
  const trace = recorder.read()
  expect(trace).toHaveLength(captchaTraceLimit)
  expect([trace[0]?.t, trace.at(-1)?.t]).toEqual([0, 2999])
  expect(trace.every(({ t }, index) => index === 0 || t > (trace[index - 1]?.t ?? 0))).toBe(true)
})
