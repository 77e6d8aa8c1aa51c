import { type CaptchaTrace, captchaTraceLimit } from '@homeport/contract'

/** Notes where the hand was. */
export interface TraceRecorder {
  /** Begins anew: a challenge was shown. */
  start(): void
  /** Notes a place of the tile, an angle as x, or a click. */
  add(x: number, y: number): void
  /** What was noted, at most as much as the server takes: an even choice with its first and last point. */
  read(): CaptchaTrace
}

/** Points kept at once; an hour of dragging must not fill the memory. */
const keptLimit = 4000

/** Makes a recorder; `now` gives ms. */
export function createTraceRecorder(now: () => number = () => performance.now()): TraceRecorder {
  let points: CaptchaTrace = []
  let startedAt = now()
  return {
    start() {
      points = []
      startedAt = now()
    },
    add(x, y) {
      if (points.length >= keptLimit) points.shift()
      const round = (value: number) => Math.round(value * 10) / 10
      points.push({ x: round(x), y: round(y), t: Math.min(round(now() - startedAt), 600_000) })
    },
    read() {
      if (points.length <= captchaTraceLimit) return [...points]
      const step = (points.length - 1) / (captchaTraceLimit - 1)
      return Array.from({ length: captchaTraceLimit }, (_, index) => {
        const point = points[Math.round(index * step)]
        return point ?? { x: 0, y: 0, t: 0 }
      })
    },
  }
}
