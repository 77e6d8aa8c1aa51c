import type { CaptchaTrace, CaptchaValue } from '@homeport/contract'

/** What a trace says of the hand behind it. `absent` is allowed (an old browser), but gets less tolerance. */
export type TraceVerdict = 'plausible' | 'absent' | 'implausible'

/** A drag shows at least this many points. */
const leastPoints = 5

/** Nobody drags, or clicks three characters, in less than this many ms. */
const leastTimeMs = 250

/** A hand ends where it says, to this many px or degrees. */
const endTolerance = 3

/** Steps in time whose lengths differ by less than this share of their mean are a clock's, not a hand's. */
const leastUnevenness = 0.05

/** Judges the trace of a drag or of clicks. What it asks is what a program has to imitate, no more: it is one sign of several. */
export function judgeTrace(trace: CaptchaTrace | undefined, value: CaptchaValue): TraceVerdict {
  if (trace === undefined || trace.length === 0) return 'absent'
  const isMonotone = trace.every(({ t }, index) => index === 0 || t >= (trace[index - 1]?.t ?? 0))
  if (!isMonotone) return 'implausible'
  const last = trace.at(-1)
  if (last === undefined || last.t < leastTimeMs) return 'implausible'
  if (Array.isArray(value)) return judgeClicks(trace, value)
  if ('nonces' in value) return 'plausible'
  const [x, y] = 'angle' in value ? [value.angle, last.y] : [value.x, value.y]
  const isAtEnd = Math.abs(last.x - x) <= endTolerance && Math.abs(last.y - y) <= endTolerance
  if (!isAtEnd || trace.length < leastPoints) return 'implausible'
  return isEven(trace) ? 'implausible' : 'plausible'
}

// One point for each click, where the answer says.
function judgeClicks(trace: CaptchaTrace, value: readonly { x: number; y: number }[]) {
  const fits =
    trace.length === value.length &&
    value.every(({ x, y }, index) => {
      const point = trace[index]
      return point !== undefined && Math.hypot(point.x - x, point.y - y) <= endTolerance
    })
  return fits ? 'plausible' : 'implausible'
}

/** True for steps of one length in one rhythm: the straight line of a loop. */
function isEven(trace: CaptchaTrace): boolean {
  const steps = trace.slice(1).map((point, index) => {
    const before = trace[index] ?? point
    return { ms: point.t - before.t, px: Math.hypot(point.x - before.x, point.y - before.y) }
  })
  return (
    unevenness(steps.map(({ ms }) => ms)) < leastUnevenness &&
    unevenness(steps.map(({ px }) => px)) < leastUnevenness
  )
}

function unevenness(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  if (mean === 0) return 0
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length
  return Math.sqrt(variance) / mean
}
