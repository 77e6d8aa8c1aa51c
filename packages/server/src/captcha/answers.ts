import type { CaptchaKind, CaptchaTrace, CaptchaValue, workKind } from '@homeport/contract'
import type { Drawn } from './drawing/artist.ts'
import { judgeTrace } from './trace.ts'
import { isWorkDone, type Work } from './work.ts'

/** Half the width of a gap that a tile fits into, in px; half of it without a trace. */
const tilePixels = 5

/** Degrees that a disc may be off; half of it without a trace. */
const discDegrees = 8

/** Distance from a character's middle that still hits it, in px; half of it without a trace. */
const clickPixels = 22

/** What the server keeps of a challenge. */
export type Answer =
  | { [K in CaptchaKind]: { kind: K; answer: Extract<Drawn, { kind: K }>['answer'] } }[CaptchaKind]
  | { kind: typeof workKind; answer: Work }

/** True where the answer is right and the hand behind it looks like one. */
export function isRightAnswer(
  kept: Answer,
  value: CaptchaValue,
  trace: CaptchaTrace | undefined,
): boolean {
  if (kept.kind === 'work') {
    return 'nonces' in value && isWorkDone(kept.answer, value.nonces)
  }
  const verdict = judgeTrace(trace, value)
  if (verdict === 'implausible') return false
  return isWithin(kept, value, verdict === 'absent' ? 0.5 : 1)
}

/** True where the value lies within a share of the tolerance. */
export function isWithin(
  kept: Exclude<Answer, { kind: typeof workKind }>,
  value: CaptchaValue,
  share: number,
): boolean {
  if (kept.kind === 'click') {
    return (
      Array.isArray(value) &&
      value.length === kept.answer.length &&
      kept.answer.every(({ x, y }, index) => {
        const point = value[index]
        return point !== undefined && Math.hypot(point.x - x, point.y - y) <= clickPixels * share
      })
    )
  }
  if (Array.isArray(value)) return false
  if (kept.kind === 'rotate') {
    return 'angle' in value && Math.abs(value.angle - kept.answer.angle) <= discDegrees * share
  }
  if (!('x' in value)) return false
  const limit = tilePixels * share
  return Math.abs(value.x - kept.answer.x) <= limit && Math.abs(value.y - kept.answer.y) <= limit
}
